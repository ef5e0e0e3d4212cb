/** Writes the report to a terminal or build log: the first causes in full, all in short, the conclusion. */
import { parts } from '../../check/weight.ts';
import { inOneLine } from '../../harmless.ts';
import type { Entry } from '../../journal/entry.ts';
import type { Env } from '../../party/file/fields.ts';
import type { Diagnosis } from '../../role.ts';
import { breaksRun, shownCauses } from '../lookup.ts';
import { straySentence } from '../scenarios.ts';
import type { Report } from '../schema/schema.ts';
import { duration, outcomeSigns, partNames, talliesOf } from '../words.ts';
import { placesOf } from '../write.ts';
import { causeList, detailLines } from './console-causes.ts';
import { Progress, type ProgressOptions } from './progress.ts';
import { hanging, heading, paintFor, type TextOptions, widthOf, wrap } from './terminal.ts';

/** What the user must correct in the set-up. Empty: nothing. */
export type Problems = readonly { problem: string; remedy: string }[];

/** A report, and its files; none where nothing was written. */
type WrittenReport = { report: Report; paths: readonly string[] };

export type Reporter = ReturnType<typeof consoleReporter>;

/** Writes a run as it goes on, and its report at the end, to a terminal or a build log. */
export function consoleReporter({ env, ...options }: Omit<ProgressOptions, 'paint'> & { env: Env }) {
  const { screen } = options;
  const paint = paintFor(screen, env);
  const progress = new Progress({ ...options, paint });
  const line = (text: string): void => progress.line(text);
  return {
    line,
    /** Takes every entry of the journal, masked, during the run. */
    progress: (entry: Entry): void => progress.entry(entry),
    diagnosis: (diagnosis: Diagnosis): void => line(diagnosisLine(diagnosis)),
    /** Says at the end whether the party can be judged, where nothing else was asked. */
    setUp: (party: string, problems: Problems): void =>
      line(problems.length === 0 ? `The set-up is in order: the ${party} can be judged.` : 'Not set up.'),
    finish({ report, paths }: WrittenReport): void {
      progress.end();
      const text = reportText(report, { paint, width: widthOf(screen), paths: placesOf(paths) });
      screen.write(`${text}\n`);
    },
  };
}

/** The whole report as text, without a final line break. It has at most {@link MAX_LINES} lines. */
export function reportText(report: Report, options: TextOptions): string {
  const end = [...otherLists(report, options), '', ...endLines(report, options)];
  const causes = shownCauses(report);
  const list = causes.length > 1 ? causeList(causes, options) : [];
  const max = MAX_LINES - list.length - end.length;
  return [...detailLines(causes, report, { ...options, max }), ...list, ...end].join('\n');
}

/** Limits the report on a terminal, so that what was written before it stays within reach. */
const MAX_LINES = 100;

/** Limits the known failures and the outdated entries that are listed. */
const MAX_LISTED = 12;

/** What no cause covers: known failures, outdated entries, and problems of the set-up. */
function otherLists(report: Report, { paint, width }: TextOptions): string[] {
  const headed = (title: string, lines: readonly string[][]) => {
    if (lines.length === 0) return [];
    const more = lines.length - MAX_LISTED;
    return [
      '',
      paint('bold', heading(title, width)),
      ...lines.slice(0, MAX_LISTED).flat(),
      ...(more > 0 ? [`  … and ${more} more, in the report`] : []),
    ];
  };
  const known = report.verdicts.flatMap(({ check, outcome, known: because }) =>
    because === undefined ? [] : [hanging(`  ${outcomeSigns[outcome]} ${check}  `, because, width)],
  );
  const stale = report.staleBaseline.map(({ check, because }) =>
    hanging(`  ${paint('red', '✕')} `, `${check}: ${because}`, width),
  );
  return [
    ...headed(`Known failures (${known.length})`, known),
    ...headed('The list of known failures', stale),
    ...(report.notSetUp ?? []).flatMap(({ problem, remedy }) => [
      '',
      ...hanging(`${paint('red', '✕')} `, problem, width),
      ...hanging('  to do: ', remedy, width),
    ]),
  ];
}

/** What the doctor found about one part of the set-up. */
function diagnosisLine({ ok, title, found, remedy }: Diagnosis): string {
  // The words of a server stay within one line: some CI systems obey commands at the beginning of a line.
  const [what, todo] = [found, remedy ?? ''].map(inOneLine);
  return ok ? `  ok   ${title}: ${what}` : `  NOT  ${title}: ${what}\n       ${todo}`;
}

/** One line for each part of the conclusion. The colour says whether the part makes the run fail. */
function partLines(report: Report, { paint, width }: TextOptions): string[] {
  const { summary } = report;
  if (summary.conclusion === 'not set up') return [paint(['bold', 'red'], summary.conclusion)];
  return parts.flatMap((part) => {
    const lines = hanging(partNames[part].padEnd(NAME_CHARS), summary.parts[part].headline, width);
    const colour = breaksRun(part, report) ? 'red' : 'green';
    return lines.map((line) => paint(['bold', colour], line));
  });
}

/** The width of the names of parts, with the space behind them. */
const NAME_CHARS = 12;

/** The last lines: counts, circumstances, paths and the conclusion. */
function endLines(report: Report, { paint, width, paths = [] }: TextOptions): string[] {
  const { summary, meta } = report;
  return [
    ...wrap(talliesOf(summary.counts), width),
    ...[
      `seed ${meta.seed} · ${meta.tool}`,
      `The kit itself stood still for ${duration(meta.longestSilenceMs)} at most.`,
      straySentence(report) ?? '',
    ].flatMap((text) => wrap(text, width).map((line) => paint('dim', line))),
    ...paths.map((path) => paint('dim', path)),
    '',
    ...wrap(`${meta.target}: ${summary.sentence}`, width),
    ...partLines(report, { paint, width }),
  ];
}
