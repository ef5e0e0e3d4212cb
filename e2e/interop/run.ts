/** Plays the flows over the combinations of a list, and writes the reports. */
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ask, breakable, brokenOffCode, tell } from '#conformance/engine/cli/commands/common.ts';
import { systemClock } from '#protocol/time/clock.ts';
import { systemRandom } from '#protocol/time/random.ts';
import { UNUSABLE_COMMAND_LINE } from '#service/process/tool-command.ts';
import { makeDirectory, requireDirectory, requireFile, writeWhole } from '#service/process/writing.ts';
import { chosenFlows } from '../flows/index.ts';
import { PartyFileError } from '../parties/load.ts';
import { matrixPage } from './html.ts';
import { type Cell, isGreen, playMatrix } from './play.ts';
import { jsonOf, markdownOf, terminalTable, titleOf, troublesOf, wordsOf } from './report.ts';
import { type Combination, loadMatrix } from './settings.ts';

export type InteropOptions = { report: string; markdown?: string };

/** Returns the exit code. */
export async function interop(file: string, names: readonly string[], options: InteropOptions): Promise<number> {
  const flows = chosenFlows(names);
  if (typeof flows === 'string') return unusable(flows);
  requireDirectory('--report', options.report);
  if (options.markdown !== undefined) requireFile('--markdown', options.markdown);
  let combinations: Combination[];
  try {
    combinations = await loadMatrix(file, process.env);
  } catch (error) {
    if (!(error instanceof PartyFileError)) throw error;
    return unusable(error.message);
  }
  const signal = breakable();
  const parts = { clock: systemClock, random: systemRandom, env: process.env, signal, tell, ask };
  process.stdout.write(`${combinations.length} combinations\n\n`);
  try {
    const cells = await playMatrix({ combinations, flows }, parts, (cell) =>
      process.stdout.write(`${wordsOf(cell)} in ${cell.seconds.toFixed(0)} s: ${titleOf(cell)}\n`),
    );
    process.stdout.write(`\n${terminalTable(cells)}\n`);
    for (const { title, lines } of troublesOf(cells)) process.stdout.write(`\n${title}\n  ${lines.join('\n  ')}\n`);
    writeReports(cells, options);
    return cells.every(isGreen) ? 0 : 1;
  } catch (error) {
    if (!signal.aborted) throw error;
    process.stderr.write('The run was broken off.\n');
    return brokenOffCode(signal);
  }
}

function unusable(message: string): number {
  process.stderr.write(`${message}\n`);
  return UNUSABLE_COMMAND_LINE;
}

function writeReports(cells: readonly Cell[], { report, markdown }: InteropOptions): void {
  const files = { 'matrix.md': markdownOf(cells), 'matrix.html': matrixPage(cells), 'matrix.json': jsonOf(cells) };
  try {
    makeDirectory(report);
    for (const [name, text] of Object.entries(files)) writeWhole(join(report, name), text);
    if (markdown !== undefined) {
      makeDirectory(dirname(markdown));
      writeFileSync(markdown, files['matrix.md']);
    }
  } catch (error) {
    // The matrix was shown, and counts without its files.
    process.stderr.write(`Failed to write the reports: ${(error as Error).message}.\n`);
    return;
  }
  process.stdout.write(`\nReports: ${report} (${Object.keys(files).join(', ')})\n`);
}
