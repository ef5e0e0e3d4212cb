/** The flags of `npm run hostile`. */
import { z } from 'zod';
import {
  list,
  onOff,
  type Program,
  readSettings,
  type SettingsTable,
  type Values,
  wholeNumber,
} from '#service/process/settings.ts';
import { ATTACKS, type AttackName } from './messages.ts';

const names = Object.keys(ATTACKS) as [AttackName, ...AttackName[]];

const hostileSettings = {
  connections: {
    flag: '--connections <number>',
    env: 'HOSTILE_CONNECTIONS',
    default: '10000',
    schema: wholeNumber(10, 1_000_000),
    help: 'most connections of an attack; those that need fewer have fewer',
  },
  scaleDown: {
    flag: '--scale-down',
    env: 'HOSTILE_SCALE_DOWN',
    schema: onOff,
    help: 'where the limit on open files is too low, attack with as many connections as it allows',
  },
  seconds: {
    flag: '--seconds <number>',
    env: 'HOSTILE_SECONDS',
    default: '5',
    schema: wholeNumber(1, 600),
    help: 'how long the caller is measured, each time',
  },
  rounds: {
    flag: '--rounds <number>',
    env: 'HOSTILE_ROUNDS',
    default: '3',
    schema: wholeNumber(1, 100),
    help: 'rounds of quiet and attack, whose middle counts',
  },
  rateLimit: {
    flag: '--rate-limit <rule>',
    env: 'HOSTILE_RATE_LIMIT',
    default: 'on',
    schema: z.enum(['on', 'off'], 'must be on or off'),
    help: 'whether the server limits the calls of an address: on as by default, or off, where a flood of good calls is not held back',
  },
  only: {
    flag: '--only <list>',
    env: 'HOSTILE_ONLY',
    default: '',
    schema: list.pipe(z.array(z.enum(names, `must be comma-separated names out of ${names.join(', ')}`))),
    help: 'attacks, comma-separated; absent: all',
  },
  json: {
    flag: '--json <file>',
    env: 'HOSTILE_JSON',
    default: 'test-results/hostile.json',
    schema: z.string().min(1),
    help: 'where the figures go',
  },
} as const satisfies SettingsTable;

export type HostileSettings = Values<typeof hostileSettings>;

const program: Program = {
  name: 'npm run hostile --',
  description:
    'Attacks an EHR server by its connections and both servers by bodies that are dear to parse, and measures how long other callers wait and what memory stays.',
  epilogue: `Attacks:
${names.map((name) => `  ${name.padEnd(20)} ${ATTACKS[name].connections} × ${ATTACKS[name].what}`).join('\n')}

Run it while the machine is quiet. Exit codes: 0 all limits hold, 1 one is broken, 2 wrong flags, 3 the run could not be made, 130 interrupted.`,
};

/** Reads the flags. Returns undefined when `--help` was printed. */
export function readHostileSettings(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): HostileSettings | undefined {
  return readSettings(program, hostileSettings, argv, env);
}
