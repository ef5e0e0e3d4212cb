/** The report on a terminal: failures first, with everything needed to correct them. */
import type { Entry } from '../../journal/entry.ts';
import type { Verdict } from '../../verdict.ts';
import { causeWords } from '../causes.ts';
import { requirementsOf } from '../matrix.ts';
import type { Report, ReportedCause, ReportedVerdict } from '../schema/schema.ts';
import { straySentence } from '../strays.ts';
import { count, duration, harmless, outcomeSigns } from '../words.ts';
import { exchangeLines } from './console-exchange.ts';
import { type Progress, progressOn } from './progress.ts';
import { type Environment, hanging, type Paint, paintFor, type Screen, widthOf, wrap } from './terminal.ts';

export type ConsoleOptions = {
  screen: Screen;
  env: Environment;
  /** The number of scenarios to be played, if known. */
  total?: number;
  watch?: boolean;
};

export type ConsoleReporter = {
  /** Takes every entry of the journal, masked, during the run. */
  progress(entry: Entry): void;
  /** Writes a line of the kit, such as a finding of the doctor. */
  line(text: string): void;
  /** Writes one verdict in one line, for a watched session. */
  verdict(verdict: Verdict): void;
  /** Writes the whole report at the end; `paths` lists the other forms. */
  finish(report: Report, paths?: readonly string[]): void;
};

/** The labels of the lines, before padding. */
const LABELS = {
  requires: 'requires',
  expected: 'expected',
  actual: 'actual',
  seen: 'seen',
  blame: 'to blame',
  advice: 'to do',
  cause: 'cause',
  shows: 'shows in',
} as const;
const LABEL_CHARS = 12;

/** Creates a reporter for a terminal, or for the log of a pipeline. */
export function consoleReporter({ screen, env, total, watch }: ConsoleOptions): ConsoleReporter {
  const paint = paintFor(screen, env);
  const progress: Progress = progressOn({ screen, paint, total, watch });
  return {
    progress: progress.entry,
    line: (text) => progress.line(harmless(text)),
    verdict: (verdict) => progress.line(verdictLine(verdict, paint)),
    finish(report, paths = []) {
      progress.end();
      screen.write(`${reportText(report, { paint, width: widthOf(screen), paths })}\n`);
    },
  };
}

export type TextOptions = { paint: Paint; width: number; paths?: readonly string[] };

/** The whole report as text, without a final line break. */
export function reportText(report: Report, { paint, width, paths = [] }: TextOptions): string {
  const known = report.verdicts.filter((verdict) => verdict.known !== undefined);
  const flaky = report.verdicts.filter((verdict) => verdict.flaky !== undefined);
  const groups = groupsOf(report);
  const section = (title: string, outcome: Verdict['outcome']) => {
    const own = groups.filter(({ worst }) => worst === outcome);
    const checks = own.reduce((sum, { verdicts }) => sum + verdicts.length, 0);
    if (checks === 0) return [];
    const number = checks === own.length ? String(checks) : `${count(own.length, 'cause')}, ${checks} checks`;
    return [
      '',
      paint('bold', heading(`${title} (${number})`, width)),
      ...own.flatMap((group) => ['', ...groupLines(group, report, { paint, width })]),
    ];
  };
  return [
    ...section('Failed', 'fail'),
    ...section('Could not be judged', 'inconclusive'),
    ...section('Warnings', 'warning'),
    ...(known.length === 0 ? [] : ['', paint('bold', heading(`Known failures (${known.length})`, width))]),
    ...known.flatMap((verdict) =>
      hanging(`  ${outcomeSigns[verdict.outcome]} ${verdict.check}  `, verdict.known ?? '', width),
    ),
    ...(flaky.length === 0 ? [] : ['', paint('bold', heading(`Known to be flaky (${flaky.length})`, width))]),
    ...flaky.flatMap((verdict) =>
      hanging(`  ${outcomeSigns[verdict.outcome]} ${verdict.check}  `, verdict.flaky ?? '', width),
    ),
    ...(report.staleBaseline.length === 0 ? [] : ['', paint('bold', heading('The list of known failures', width))]),
    ...report.staleBaseline.flatMap(({ check, because }) =>
      hanging(`  ${paint('red', '✕')} `, `${check}: ${because}`, width),
    ),
    ...(report.notSetUp ?? []).flatMap(({ problem, remedy }) => [
      '',
      ...hanging(`${paint('red', '✕')} `, harmless(problem), width),
      ...hanging('  to do: ', harmless(remedy), width),
    ]),
    '',
    ...endLines(report, { paint, width, paths }),
  ].join('\n');
}

/** The red verdicts of one cause, without known failures. */
type Group = { cause: ReportedCause; verdicts: ReportedVerdict[]; worst: Verdict['outcome'] };

const WORST_FIRST = ['fail', 'inconclusive', 'warning'] as const;

function groupsOf({ causes, verdicts }: Report): Group[] {
  const byCheck = new Map(verdicts.map((verdict) => [verdict.check, verdict]));
  return causes.flatMap((cause) => {
    const own = cause.checks.flatMap((check) => byCheck.get(check) ?? []).filter(isWorthShowing);
    const worst = WORST_FIRST.find((outcome) => own.some((verdict) => verdict.outcome === outcome));
    return worst === undefined ? [] : [{ cause, verdicts: own, worst }];
  });
}

function isWorthShowing({ known, flaky }: ReportedVerdict): boolean {
  return known === undefined && flaky === undefined;
}

/** The check that shows the cause, or the cause itself, with the other checks below. */
function groupLines({ cause, verdicts, worst }: Group, report: Report, { paint, width }: TextOptions): string[] {
  const [first, ...others] = verdicts as [ReportedVerdict, ...ReportedVerdict[]];
  const beneath = (list: readonly ReportedVerdict[]) =>
    list.flatMap((verdict, index) => [
      ...hanging(
        `${(index === 0 ? `  ${LABELS.shows}` : '').padEnd(LABEL_CHARS)}${signed(verdict.outcome, paint)} `,
        `${verdict.check}: ${verdict.title}`,
        width,
      ),
    ]);
  if (first.check === cause.check || (others.length === 0 && cause.checks.length === 1))
    return [...verdictLines(first, report, { paint, width }), ...beneath(others)];
  const { finding } = first;
  const evidence = ('evidence' in finding && finding.evidence) || [];
  const row = (label: keyof typeof LABELS, text: string) =>
    hanging(paint('dim', `  ${LABELS[label].padEnd(LABEL_CHARS - 2)}`), harmless(text), width);
  return [
    `${signed(worst, paint)} ${paint('bold', `One cause, ${count(verdicts.length, 'check')}`)}`,
    ...row('cause', causeWords(cause)),
    ...seen(evidence, report, { paint, width }),
    ...('blame' in finding ? row('blame', finding.blame) : []),
    ...beneath(verdicts),
  ];
}

/** One verdict in one line. */
function verdictLine(verdict: Pick<Verdict, 'check' | 'title' | 'outcome'>, paint: Paint): string {
  return `${signed(verdict.outcome, paint)} ${verdict.check}: ${verdict.title}`;
}

function verdictLines(verdict: ReportedVerdict, report: Report, { paint, width }: TextOptions): string[] {
  const { check, title, level, clause, finding } = verdict;
  const row = (label: keyof typeof LABELS, text: string) =>
    hanging(paint('dim', `  ${LABELS[label].padEnd(LABEL_CHARS - 2)}`), harmless(text), width);
  const required = requirementsOf(verdict, report);
  const head = [
    `${signed(verdict.outcome, paint)} ${paint('bold', check)}  ${paint('dim', `${level}  ${clause}`)}`,
    ...wrap(title, width - 2).map((line) => `  ${line}`),
    '',
    ...required.flatMap(({ clause: where, text }) => row('requires', `${text} (${where})`)),
  ];
  switch (finding.outcome) {
    case 'fail':
      return [
        ...head,
        ...row('expected', finding.expected),
        ...row('actual', finding.actual),
        ...seen(finding.evidence, report, { paint, width }),
        ...row('blame', finding.blame),
        ...row('advice', finding.advice),
      ];
    case 'inconclusive':
      return [
        ...head,
        ...row('actual', `Could not be judged: ${finding.because}`),
        ...seen(finding.evidence ?? [], report, { paint, width }),
        ...row('blame', finding.blame),
      ];
    default:
      return head;
  }
}

function seen(evidence: readonly number[], report: Report, { paint, width }: TextOptions): string[] {
  const lines = exchangeLines(evidence, report, width - LABEL_CHARS);
  return lines.map((line, index) => paint('dim', (index === 0 ? `  ${LABELS.seen}` : '').padEnd(LABEL_CHARS)) + line);
}

function endLines(report: Report, { paint, width, paths = [] }: TextOptions): string[] {
  const { summary, meta } = report;
  const { counts, conclusion, sentence, headline } = summary;
  const good = summary.exitCode === 0 && conclusion === 'conformant';
  const tallies = `${counts.pass} passed, ${counts.fail} failed, ${counts.inconclusive} inconclusive, ${counts.warning} warnings, ${counts['not applicable']} not applicable`;
  return [
    ...wrap(tallies, width),
    ...wrap(`requirement set ${summary.requirementSet} · seed ${meta.seed} · ${meta.tool}`, width).map((line) =>
      paint('dim', line),
    ),
    ...wrap(`The kit itself stood still for ${duration(meta.longestSilenceMs)} at most.`, width).map((line) =>
      paint('dim', line),
    ),
    ...wrap(harmless(straySentence(report) ?? ''), width).map((line) => paint('dim', line)),
    ...paths.map((path) => paint('dim', path)),
    '',
    ...wrap(harmless(`${meta.target}: ${sentence}`), width),
    ...wrap(headline, width).map((line) => paint(['bold', good ? 'green' : 'red'], line)),
  ];
}

function signed(outcome: Verdict['outcome'], paint: Paint): string {
  const colour =
    outcome === 'pass' ? 'green' : outcome === 'warning' ? 'yellow' : outcome === 'not applicable' ? 'dim' : 'red';
  return paint(colour, outcomeSigns[outcome]);
}

function heading(text: string, width: number): string {
  return `── ${text} ${'─'.repeat(Math.max(0, width - text.length - 4))}`;
}
