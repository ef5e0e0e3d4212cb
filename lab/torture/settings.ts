/** The flags of `npm run torture`. */
import { z } from 'zod';
import {
  onOff,
  type Program,
  readSettings,
  type SettingsTable,
  type Values,
  wholeNumber,
} from '#service/process/settings.ts';

const tortureSettings = {
  engine: {
    flag: '--engine <name>',
    env: 'TORTURE_ENGINE',
    default: 'both',
    schema: z.enum(['sqlite', 'postgres', 'both'], 'must be sqlite, postgres or both'),
    help: 'sqlite (one process), postgres (several), or both, one after the other',
  },
  seed: {
    flag: '--seed <number>',
    env: 'TORTURE_SEED',
    default: '1',
    schema: wholeNumber(0, 2 ** 31 - 1),
    help: 'fixes what is asked and which faults strike; how real processes interleave it cannot fix',
  },
  operations: {
    flag: '--operations <number>',
    env: 'TORTURE_OPERATIONS',
    default: '30000',
    schema: wholeNumber(100, 10_000_000),
    help: 'calls at least, for each engine; the faults are spread over them',
  },
  minutes: {
    flag: '--minutes <number>',
    env: 'TORTURE_MINUTES',
    default: '0',
    schema: wholeNumber(0, 60),
    help: 'goes on, with as many faults again and again, for at least so long, for each engine',
  },
  kills: {
    flag: '--kills <number>',
    env: 'TORTURE_KILLS',
    schema: wholeNumber(0, 10_000).optional(),
    help: 'how often a process is killed with SIGKILL; absent: 50 on sqlite, 20 on postgres',
  },
  databaseRestarts: {
    flag: '--database-restarts <number>',
    env: 'TORTURE_DATABASE_RESTARTS',
    default: '3',
    schema: wholeNumber(0, 1_000),
    help: 'how often PostgreSQL is restarted: in turn fast, immediate, by SIGKILL',
  },
  cuts: {
    flag: '--cuts <number>',
    env: 'TORTURE_CUTS',
    default: '10',
    schema: wholeNumber(0, 10_000),
    help: "how often connections are cut: in turn the clients' to a process, and those to the database from inside and on their way",
  },
  processes: {
    flag: '--processes <number>',
    env: 'TORTURE_PROCESSES',
    default: '4',
    schema: wholeNumber(1, 64),
    help: 'EHR processes on one PostgreSQL; on sqlite there is one',
  },
  groups: {
    flag: '--groups <number>',
    env: 'TORTURE_GROUPS',
    default: '12',
    schema: wholeNumber(1, 1_000),
    help: 'groups of users played at a time, two workers each',
  },
  proveChecker: {
    flag: '--prove-checker',
    env: 'TORTURE_PROVE_CHECKER',
    schema: onOff,
    help: 'instead of the torture: plants one defect after another into the server; each must be found',
  },
  report: {
    flag: '--report <directory>',
    env: 'TORTURE_REPORT',
    default: 'test-results',
    schema: z.string().min(1),
    help: 'where torture-<engine>.json goes',
  },
} as const satisfies SettingsTable;

export type TortureSettings = Values<typeof tortureSettings>;

const program: Program = {
  name: 'npm run torture --',
  description:
    'Puts EHR servers under mixed load, kills them, restarts their database and cuts connections; then holds a ledger of every call against what the servers answer and what the database holds.',
  epilogue: `Exit codes: 0 nothing was lost or done twice, 1 something was, 2 wrong flags, 3 the run could not be made, 130 interrupted.

Examples:
  npm run torture
  npm run torture -- --engine sqlite --kills 50 --seed 7
  npm run torture -- --engine postgres --processes 4 --minutes 10
  npm run torture -- --prove-checker`,
};

/** Reads the flags. Returns undefined when `--help` was printed. */
export function readTortureSettings(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): TortureSettings | undefined {
  return readSettings(program, tortureSettings, argv, env);
}
