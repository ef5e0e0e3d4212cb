/** `npm run torture`: a long run on both engines. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Option } from 'commander';
import { systemClock } from '#protocol/time/clock.ts';
import { wholeNumberArgument } from '#service/process/command-line/argument.ts';
import { toolCommand } from '#service/process/command-line/tool-command.ts';
import { EXIT_CODES, endWith } from '../long-run.ts';
import type { Engine } from './run.ts';

const DEFAULT_KILLS: Readonly<Record<Engine, number>> = { sqlite: 50, postgres: 20 };

type TortureFlags = {
  engine: Engine | 'both';
  seed: number;
  operations: number;
  kills?: number;
  databaseRestarts: number;
  cuts: number;
  processes: number;
  report: string;
};

const engine = new Option(
  '--engine <name>',
  'sqlite: one process; postgres: several; both: one after the other',
);
const flags = toolCommand('npm run torture --')
  .description(
    'Puts EHR servers under mixed load, kills them, restarts their database and cuts connections; then holds a ledger of every call against what the servers answered and what the database holds.',
  )
  .addOption(engine.choices(['sqlite', 'postgres', 'both']).default('both'))
  .option(
    '--seed <number>',
    'fixes what is asked and which faults strike; how real processes interleave it cannot fix',
    wholeNumberArgument(0, 2 ** 31 - 1),
    1,
  )
  .option(
    '--operations <number>',
    'calls at least, for each engine; the faults are spread over them',
    wholeNumberArgument(100, 10_000_000),
    30_000,
  )
  .option(
    '--kills <number>',
    'how often a process is killed with SIGKILL; absent: 50 on sqlite, 20 on postgres',
    wholeNumberArgument(0, 10_000),
  )
  .option(
    '--database-restarts <number>',
    'how often PostgreSQL is restarted: in turn fast, immediate, by SIGKILL',
    wholeNumberArgument(0, 1_000),
    3,
  )
  .option(
    '--cuts <number>',
    "how often connections are cut: in turn the clients' to a process, and those to the database from inside and on their way",
    wholeNumberArgument(0, 10_000),
    10,
  )
  .option(
    '--processes <number>',
    'EHR processes on one PostgreSQL; on sqlite there is one',
    wholeNumberArgument(1, 64),
    4,
  )
  .option('--report <directory>', 'where torture-<engine>.json goes', 'test-results')
  .addHelpText(
    'after',
    `
Exit codes: 0 nothing was lost or done twice, 1 something was, ${EXIT_CODES}

Examples:
  npm run torture
  npm run torture -- --engine sqlite --kills 50 --seed 7
  npm run torture -- --engine postgres --processes 4 --operations 100000`,
  )
  .parse()
  .opts<TortureFlags>();

await endWith(async (signal) => {
  // Loads the servers, which the help does not need.
  const { runTorture, summaryOf } = await import('./run.ts');
  const engines: Engine[] = flags.engine === 'both' ? ['sqlite', 'postgres'] : [flags.engine];
  let isHeld = true;
  for (const name of engines) {
    const options = {
      ...flags,
      engine: name,
      processes: name === 'sqlite' ? 1 : flags.processes,
      kills: flags.kills ?? DEFAULT_KILLS[name],
      databaseRestarts: name === 'sqlite' ? 0 : flags.databaseRestarts,
    };
    const log = (line: string) => void process.stderr.write(`${line}\n`);
    const result = await runTorture(options, { clock: systemClock, log, signal });
    const passed = result.violations.length === 0;
    mkdirSync(flags.report, { recursive: true });
    const file = join(flags.report, `torture-${name}.json`);
    // A fault that was not over when the run ended has an infinite end, which JSON writes as null.
    writeFileSync(file, `${JSON.stringify({ passed, ...result }, undefined, 2)}\n`);
    process.stdout.write(`\n${summaryOf(result)}  report      ${file}\n\n`);
    isHeld &&= passed;
  }
  return isHeld;
});
