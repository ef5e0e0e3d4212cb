/** `compare`: reads two reports and describes what changed between them. */
import { readReport } from '../schema/schema.ts';
import { type Environment, paintFor, type Screen, widthOf } from '../terminal/terminal.ts';
import { compareReports } from './changes.ts';
import { comparisonText } from './text.ts';

/**
 * Compares two `report.json`, the earlier one first.
 * @returns the text for the terminal, and 1 when the later one is worse, else 0 (see {@link compareReports})
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
