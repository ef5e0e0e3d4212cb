/** `npm run torture`: a long run on both engines. */
import { systemClock } from '#protocol/time/clock.ts';
import { SettingsError } from '#service/process/settings.ts';
import { proveChecker } from './prove-checker.ts';
import { summaryOf, writeReport } from './report.ts';
import { type Engine, runTorture, type TortureOptions } from './run.ts';
import { readTortureSettings, type TortureSettings } from './settings.ts';

const EXIT = { passed: 0, violated: 1, usage: 2, failed: 3, interrupted: 130 } as const;
const DEFAULT_KILLS: Readonly<Record<Engine, number>> = { sqlite: 50, postgres: 20 };

const interrupt = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupt.abort());
const parts = {
  clock: systemClock,
  log: (line: string) => void process.stderr.write(`${line}\n`),
  signal: interrupt.signal,
};

async function run(): Promise<number> {
  const settings = readTortureSettings(process.argv.slice(2), process.env);
  if (!settings) return EXIT.passed;
  const engines: Engine[] = settings.engine === 'both' ? ['sqlite', 'postgres'] : [settings.engine];
  let exitCode: number = EXIT.passed;
  for (const engine of engines) {
    const options = optionsOf(engine, settings);
    if (settings.proveChecker) {
      if (!(await proveChecker(options, parts))) exitCode = EXIT.violated;
      continue;
    }
    const result = await runTorture(options, parts);
    process.stdout.write(`\n${summaryOf(result)}  report      ${writeReport(settings.report, result)}\n\n`);
    if (result.violations.length > 0) exitCode = EXIT.violated;
  }
  return exitCode;
}

function optionsOf(engine: Engine, settings: TortureSettings): TortureOptions {
  const {
    seed,
    operations,
    minutes,
    kills = DEFAULT_KILLS[engine],
    databaseRestarts,
    cuts,
    processes,
    groups,
  } = settings;
  return {
    engine,
    seed,
    operations,
    milliseconds: minutes * 60_000,
    processes: engine === 'sqlite' ? 1 : processes,
    kills,
    databaseRestarts: engine === 'sqlite' ? 0 : databaseRestarts,
    cuts,
    groups,
  };
}

function failure(error: unknown): number {
  if (interrupt.signal.aborted) {
    process.stderr.write('Interrupted; nothing was left behind.\n');
    return EXIT.interrupted;
  }
  const sentence = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${sentence}\n`);
  return error instanceof SettingsError ? EXIT.usage : EXIT.failed;
}

// Pending work of a stopped run must not keep the process alive.
process.exit(await run().catch(failure));
