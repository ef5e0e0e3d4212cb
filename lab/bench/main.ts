/** `npm run bench`: measures this project against its limits and its peers, and writes down the results. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { groups } from './groups/index.ts';
import { type Options, readOptions, UsageError } from './options.ts';
import { quickPlan, wholePlan } from './plan.ts';
import { killAll } from './processes/children.ts';
import { showProgress } from './progress.ts';
import { chart } from './report/chart.ts';
import { tablesText, verdictsText } from './report/console.ts';
import { BENCHMARK_FILES, documentsOf } from './report/documents.ts';
import type { Results } from './report/results.ts';
import { judge } from './report/targets.ts';
import { runBench } from './run-bench.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const directory = join(root, '.data', 'bench');
/** The files of the last run, complete or not. */
const lastRun = { results: join(directory, 'last.json'), chart: join(directory, 'last.svg') };

const interrupt = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    interrupt.abort(new Error('Interrupted.'));
    killAll();
  });
}
process.on('exit', killAll);

process.exit(await main());

/** Exit codes: every target met; one missed or not measurable; wrong usage; interrupted. */
async function main(): Promise<number> {
  try {
    const options = readOptions(process.argv.slice(2), groups);
    if (options === undefined) return 0;
    if (options.clean) {
      rmSync(directory, { recursive: true, force: true });
      process.stdout.write('Removed the databases of the benchmarks.\n');
      return 0;
    }
    return await measure(options);
  } catch (error) {
    const interrupted = interrupt.signal.aborted;
    process.stderr.write(`${interrupted ? 'Interrupted.' : error instanceof Error ? error.message : String(error)}\n`);
    if (interrupted) return 130;
    return error instanceof UsageError ? 2 : 1;
  }
}

async function measure({ quick, only, postgres }: Options): Promise<number> {
  const chosen = only.length === 0 ? groups : groups.filter(({ id }) => only.includes(id));
  const progress = showProgress(process.stderr, () => performance.now());
  const { results, failures } = await runBench({
    root,
    directory,
    plan: quick ? quickPlan : wholePlan,
    groups: chosen,
    quick,
    log: progress.log,
    onTable: (table) => {
      progress.end();
      process.stdout.write(tablesText({ tables: [table] }));
    },
    signal: interrupt.signal,
    postgres,
  });
  progress.end();
  const whole = !quick && only.length === 0 && failures.length === 0;
  const written = write(results, whole);
  const verdicts = judge(results);
  for (const failure of failures) process.stderr.write(`\nNot measured: ${failure}\n`);
  process.stdout.write(`\nTargets\n${verdictsText(verdicts)}\nWritten: ${written.join(', ')}\n`);
  // In a complete run, a target that could not be measured counts as missed.
  const missed = verdicts.some(({ met }) => met === false || (whole && met === undefined));
  return missed || failures.length > 0 ? 1 : 0;
}

function write(results: Results, whole: boolean): string[] {
  const json = `${JSON.stringify(results, roundedFigures, 2)}\n`;
  const files = new Map([
    [lastRun.results, json],
    [lastRun.chart, chart(results)],
  ]);
  if (whole) {
    files.set(join(root, BENCHMARK_FILES.results), json);
    for (const [file, text] of documentsOf(json)) files.set(join(root, file), text);
  }
  for (const [file, text] of files) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return [...files.keys()].map((file) => relative(root, file));
}

/** Rounds figures to the digits that a measurement has. */
function roundedFigures(_key: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toPrecision(6)) : value;
}
