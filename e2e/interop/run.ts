/** Plays the flows over the combinations of a list, and writes the reports. */
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeDirectory, requireDirectory, requireFile, writeWhole } from '#service/process/files/writing.ts';
import { asCommand, unusable } from '../command/play.ts';
import { chosenFlows } from '../flows/index.ts';
import { type Cell, isGreen, playMatrix } from './play.ts';
import { jsonOf, markdownOf, matrixPage, terminalTable, titleOf, troublesOf, wordsOf } from './report.ts';
import { loadMatrix } from './settings.ts';

export type InteropOptions = { report: string; markdown?: string };

/** @returns the exit code: 0 where every combination is green, 1 where one is not, 2 for a wrong name of a flow */
export async function interop(
  file: string,
  names: readonly string[],
  options: InteropOptions,
): Promise<number> {
  const flows = chosenFlows(names);
  if (typeof flows === 'string') return unusable(flows);
  requireDirectory('--report', options.report);
  if (options.markdown !== undefined) requireFile('--markdown', options.markdown);
  return asCommand(async (surroundings) => {
    const combinations = await loadMatrix(file, process.env);
    process.stdout.write(`${combinations.length} combinations\n\n`);
    const cells = await playMatrix({ combinations, flows }, surroundings, (cell) =>
      process.stdout.write(`${wordsOf(cell)} in ${cell.seconds.toFixed(0)} s: ${titleOf(cell)}\n`),
    );
    process.stdout.write(`\n${terminalTable(cells)}\n`);
    for (const { title, lines } of troublesOf(cells))
      process.stdout.write(`\n${title}\n  ${lines.join('\n  ')}\n`);
    writeReports(cells, options);
    return cells.every(isGreen) ? 0 : 1;
  });
}

function writeReports(cells: readonly Cell[], { report, markdown }: InteropOptions): void {
  const files = {
    'matrix.md': markdownOf(cells),
    'matrix.html': matrixPage(cells),
    'matrix.json': jsonOf(cells),
  };
  try {
    makeDirectory(report);
    for (const [name, text] of Object.entries(files)) writeWhole(join(report, name), text);
    if (markdown !== undefined) {
      makeDirectory(dirname(markdown));
      writeFileSync(markdown, files['matrix.md']);
    }
  } catch (error) {
    // The terminal has shown the matrix, which counts without its files.
    process.stderr.write(`Failed to write the reports: ${(error as Error).message}.\n`);
    return;
  }
  process.stdout.write(`\nReports: ${report} (${Object.keys(files).join(', ')})\n`);
}
