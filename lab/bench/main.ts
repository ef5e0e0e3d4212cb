/** `npm run bench`: measures this project against its limit, and writes down the results. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { InvalidArgumentError } from 'commander';
import { toolCommand } from '#service/process/command-line/tool-command.ts';
import { groups } from './groups.ts';
import { quickPlan, wholePlan } from './plan.ts';
import { BENCHMARK_FILES, benchmarksPage, tableText, targetsText } from './report/page.ts';
import type { Results } from './report/results.ts';
import { judge } from './report/targets.ts';
import { type BenchGroup, runBench } from './run.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const directory = join(root, '.data', 'bench');

/** Time (ms) between two lines of progress without a terminal. */
const LINE_INTERVAL_MS = 15_000;
let loggedAt = Number.NEGATIVE_INFINITY;

const { quick, only, clean } = toolCommand('npm run bench --')
  .description('Measures the EHR server against bare node:http and stock express, interleaved, in one run.')
  .option('--quick', 'a minute instead of ten: fewer sessions and rounds; writes no document', false)
  .option('--only <groups>', 'comma-separated groups of measurements; writes no document', readGroups, groups)
  .option('--clean', 'remove the databases that earlier runs have built, and do nothing else', false)
  .configureHelp({ optionDescription: ({ description }) => description })
  .addHelpText(
    'after',
    `
Groups:
${groups.map(({ id, about }) => `  ${id.padEnd(12)} ${about}`).join('\n')}

Everything that is promised of the speed is judged at the end: met or missed; the exit code is 1 when one is missed.
The databases are built once and kept in .data/bench (about 1 GB). A whole run writes docs/benchmarks.md and
docs/benchmarks.json; every run writes .data/bench/last.json. Leave the machine alone while it measures.

Examples:
  npm run bench
  npm run bench -- --quick
  npm run bench -- --only get-patient`,
  )
  .parse()
  .opts<{ quick: boolean; only: readonly BenchGroup[]; clean: boolean }>();

const interrupt = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupt.abort());

if (clean) {
  rmSync(directory, { recursive: true, force: true });
  process.stdout.write('Removed the databases of the benchmarks.\n');
} else process.exit(await measure().catch(failure));

/** Exit codes: every target met; one missed or not measurable; interrupted. */
async function measure(): Promise<number> {
  const { results, failures } = await runBench({
    root,
    directory,
    plan: quick ? quickPlan : wholePlan,
    groups: only,
    log,
    onTable: (table) => void process.stdout.write(`\n${table.title}\n${tableText(table)}\n`),
    signal: interrupt.signal,
  });
  const isWhole = !quick && only === groups && failures.length === 0;
  const written = write(results, isWhole);
  for (const sentence of failures) process.stderr.write(`\nNot measured: ${sentence}\n`);
  process.stdout.write(`\n${targetsText(results.tables)}\n\nWritten: ${written.join(', ')}\n`);
  // In a complete run, a target that could not be measured counts as missed.
  const isMissed = judge(results.tables).some(({ met }) => met === false || (isWhole && met === undefined));
  return isMissed || failures.length > 0 ? 1 : 0;
}

/** Shows what is being done: on a terminal in one line that is written over, elsewhere now and then. */
function log(text: string): void {
  const now = performance.now();
  if (!process.stderr.isTTY && now - loggedAt < LINE_INTERVAL_MS) return;
  loggedAt = now;
  process.stderr.write(process.stderr.isTTY ? `\r\x1b[2K${text}` : `${text}\n`);
}

function failure(error: unknown): number {
  process.stderr.write(`\n${interrupt.signal.aborted ? 'Interrupted.' : (error as Error).message}\n`);
  return interrupt.signal.aborted ? 130 : 1;
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

function readGroups(text: string): readonly BenchGroup[] {
  const ids = text.split(',').map((id) => id.trim());
  const unknown = ids.find((id) => !groups.some((group) => group.id === id));
  if (unknown === undefined) return groups.filter(({ id }) => ids.includes(id));
  throw new InvalidArgumentError(
    `There is no group "${unknown}". Those there are: ${groups.map(({ id }) => id).join(', ')}.`,
  );
}
