/** `npm run bench`: measures this project against its limit, and writes down the results. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { toolCommand } from '#service/process/command-line/tool-command.ts';
import { groups } from './groups.ts';
import { quickPlan, wholePlan } from './plan.ts';
import { BENCHMARK_FILES, benchmarksPage, judge, tableText, targetsText } from './report/page.ts';
import type { Results } from './report/results.ts';
import { runBench } from './run.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const directory = join(root, '.data', 'bench');

/** Time (ms) between two lines of progress without a terminal. */
const LINE_INTERVAL_MS = 15_000;
let loggedAt = Number.NEGATIVE_INFINITY;

const { quick } = toolCommand('npm run bench --')
  .description('Measures the EHR server against bare node:http and stock express, interleaved, in one run.')
  .option('--quick', 'a minute instead of ten: fewer sessions and rounds; writes no document')
  .addHelpText(
    'after',
    `
Everything that is promised of the speed is judged at the end: met or missed; the exit code is 1 when one is missed.
The databases are built once and kept in .data/bench (about 1 GB). A whole run writes docs/benchmarks.md and
docs/benchmarks.json; every run writes .data/bench/last.json. Leave the machine alone while it measures.`,
  )
  .parse()
  .opts<{ quick?: true }>();

const { results, failures } = await runBench({
  root,
  directory,
  plan: quick ? quickPlan : wholePlan,
  groups,
  log,
  onTable: (table) => void process.stdout.write(`\n${table.title}\n${tableText(table)}\n`),
});
const isWhole = !quick && failures.length === 0;
const written = write(results, isWhole);
for (const sentence of failures) process.stderr.write(`\nNot measured: ${sentence}\n`);
process.stdout.write(`\n${targetsText(results.tables)}\n\nWritten: ${written.join(', ')}\n`);
const isMet = judge(results.tables).every(({ met }) => met);
process.exit(isMet && failures.length === 0 ? 0 : 1);

function log(text: string): void {
  const now = performance.now();
  if (!process.stderr.isTTY && now - loggedAt < LINE_INTERVAL_MS) return;
  loggedAt = now;
  process.stderr.write(process.stderr.isTTY ? `\r\x1b[2K${text}` : `${text}\n`);
}

function write(results: Results, isWhole: boolean): string[] {
  // Six digits are more than a measurement has.
  const rounded = (_key: string, value: unknown) =>
    typeof value === 'number' ? Number(value.toPrecision(6)) : value;
  const json = `${JSON.stringify(results, rounded, 2)}\n`;
  const files = new Map([[join(directory, 'last.json'), json]]);
  if (isWhole) {
    files.set(join(root, BENCHMARK_FILES.results), json);
    files.set(join(root, BENCHMARK_FILES.page), benchmarksPage(json));
  }
  for (const [file, text] of files) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return [...files.keys()].map((file) => relative(root, file));
}
