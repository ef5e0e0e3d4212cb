/** The report on a terminal: what is wrong first, with everything needed to mend it. */
import type { Entry } from '../journal/entry.ts';
import type { Verdict } from '../verdict.ts';
import { exchangeLines } from './console-exchange.ts';
import { requirementsOf } from './matrix.ts';
import { type Progress, progressOn } from './progress.ts';
import type { Report, ReportedVerdict } from './schema.ts';
import { type Environment, hanging, type Paint, paintFor, type Screen, widthOf, wrap } from './terminal.ts';
import { harmless, outcomeSigns } from './words.ts';

export type ConsoleOptions = {
  screen: Screen;
  env: Environment;
  /** How many scenarios will be played, where that is known. */
  total?: number;
  watch?: boolean;
};

export type ConsoleReporter = {
  /** While running: is told every entry of the journal, masked. */
  progress(entry: Entry): void;
  /** A line of the harness's own, such as what the doctor found. */
  line(text: string): void;
  /** One verdict in one line, for a watched session. */
  verdict(verdict: Verdict): void;
  /** At the end: the whole report; `paths` says where the others lie. */
  finish(report: Report, paths?: readonly string[]): void;
};

/** The texts of each line, before its width is known. */
const LABELS = {
  requires: 'requires',
  expected: 'expected',
  actual: 'actual',
  seen: 'seen',
  blame: 'to blame',
  advice: 'to do',
} as const;
const LABEL_WIDTH = 12;

/** A reporter for a terminal, or for the log of a pipeline. */
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

/** The whole report as text, without a line break at its end. */
export function reportText(report: Report, { paint, width, paths = [] }: TextOptions): string {
  const of = (outcome: Verdict['outcome'], known = false) =>
    report.verdicts.filter((verdict) => verdict.outcome === outcome && (verdict.known !== undefined) === known);
  const known = report.verdicts.filter((verdict) => verdict.known !== undefined);
  const section = (title: string, verdicts: readonly ReportedVerdict[]) =>
    verdicts.length === 0
      ? []
      : [
          '',
          paint('bold', heading(`${title} (${verdicts.length})`, width)),
          ...verdicts.flatMap((verdict) => ['', ...verdictLines(verdict, report, { paint, width })]),
        ];
  return [
    ...section('Failed', of('fail')),
    ...section('Could not be judged', of('inconclusive')),
    ...section('Warnings', of('warning')),
    ...(known.length === 0 ? [] : ['', paint('bold', heading(`Known failures (${known.length})`, width))]),
    ...known.flatMap((verdict) =>
      hanging(`  ${outcomeSigns[verdict.outcome]} ${verdict.check}  `, verdict.known ?? '', width),
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

/** One verdict in one line. */
function verdictLine(verdict: Pick<Verdict, 'check' | 'title' | 'outcome'>, paint: Paint): string {
  return `${signed(verdict.outcome, paint)} ${verdict.check}: ${verdict.title}`;
}

function verdictLines(verdict: ReportedVerdict, report: Report, { paint, width }: TextOptions): string[] {
  const { check, title, level, clause, finding } = verdict;
  const row = (label: keyof typeof LABELS, text: string) =>
    hanging(paint('dim', `  ${LABELS[label].padEnd(LABEL_WIDTH - 2)}`), harmless(text), width);
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
  const lines = exchangeLines(evidence, report, width - LABEL_WIDTH);
  return lines.map((line, index) => paint('dim', (index === 0 ? `  ${LABELS.seen}` : '').padEnd(LABEL_WIDTH)) + line);
}

function endLines({ summary, meta }: Report, { paint, width, paths = [] }: TextOptions): string[] {
  const { counts, requirements, conclusion, sentence, finished } = summary;
  const total = Object.values(requirements).reduce((sum, number) => sum + number, 0);
  const good = summary.exitCode === 0 && conclusion === 'conformant';
  const tallies = `${counts.pass} passed, ${counts.fail} failed, ${counts.inconclusive} inconclusive, ${counts.warning} warnings, ${counts['not applicable']} not applicable`;
  return [
    ...wrap(tallies, width),
    ...wrap(
      `${total - requirements['not judged']} of ${total} requirements judged · seed ${meta.seed} · ${meta.tool}`,
      width,
    ).map((line) => paint('dim', line)),
    ...paths.map((path) => paint('dim', path)),
    '',
    ...wrap(harmless(`${meta.target}: ${sentence}`), width),
    paint(
      ['bold', good ? 'green' : 'red'],
      `${conclusion}${finished || conclusion === 'broken off' ? '' : ', broken off'}`,
    ),
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
