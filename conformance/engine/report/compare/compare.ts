/**
 * The command `compare`: reads two reports of the kit and describes what changed from the first to the
 * second, the worst first.
 */
import { readReport } from '../schema/schema.ts';
import {
  type Environment,
  hanging,
  type Paint,
  paintFor,
  type Screen,
  widthOf,
} from '../terminal/terminal.ts';
import { count, harmless } from '../words.ts';
import { type Change, type Comparison, changeKinds, compareReports } from './changes.ts';

/**
 * Compares two files `report.json`, of which the first is the earlier.
 * @returns the text for the terminal, and 1 when the later report is worse, else 0 (see {@link
 * compareReports})
 * @throws InputError when a file is not a report
 */
export function compareFiles(
  before: string,
  after: string,
  screen: Pick<Screen, 'columns' | 'isTTY'> = {},
  env: Environment = {},
): { text: string; exitCode: 0 | 1 } {
  const comparison = compareReports(readReport(before), readReport(after));
  const text = comparisonText(comparison, { paint: paintFor(screen, env), width: widthOf(screen) });
  return { text, exitCode: comparison.exitCode };
}

/** `width` is that of the terminal, in characters. */
type TextOptions = { paint: Paint; width: number };

/** The whole comparison as text, without a final line break. */
export function comparisonText(
  { changes, differences, same, exitCode }: Comparison,
  { paint, width }: TextOptions,
): string {
  const sections = changeKinds.flatMap((kind) => {
    const of = changes.filter((change) => change.kind === kind);
    if (of.length === 0) return [];
    return [
      paint('bold', `${kind} (${of.length})`),
      ...of.flatMap((change) => lines(change, { paint, width })),
      '',
    ];
  });
  const runs = differences.flatMap(({ what, was, now }) =>
    hanging(`  ${what}: `, harmless(`${was} → ${now}`), width),
  );
  return [
    ...sections,
    ...(runs.length > 0 ? [paint('bold', 'The runs differ'), ...runs, ''] : []),
    `${changes.length === 0 ? 'No verdict changed' : `${count(changes.length, 'verdict')} changed`}, ${same} stayed the same.`,
    exitCode === 0 ? paint('green', 'not worse') : paint(['bold', 'red'], 'worse'),
  ].join('\n');
}

/** The lines of one change; `✕` marks a change for the worse. */
function lines({ check, title, was, now, detail, worse }: Change, { paint, width }: TextOptions): string[] {
  const sign = worse ? paint('red', '✕') : '·';
  const path = `${was ?? 'not asked'} → ${now ?? 'not asked'}`;
  return [
    ...hanging(`  ${sign} `, `${check} (${path}): ${title}`, width),
    ...(detail === '' ? [] : hanging('    ', harmless(detail), width)),
  ];
}
