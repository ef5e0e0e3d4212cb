/** Plays scenarios against a client that a command starts, for the tests of the kit itself. */
import { fileURLToPath } from 'node:url';
import { systemClock } from '#protocol/time/clock.ts';
import { systemRandom } from '#protocol/time/random.ts';
import type { Run } from '../../../engine/journal/run-file.ts';
import { clientChecks } from '../flows/index.ts';
import { type ClientRun, openClientRun } from '../run.ts';
import { clientFileSchema } from '../settings.ts';

export type PlayOptions = {
  /** The program after `node`; the right client unless given. */
  program?: string;
  env?: Record<string, string>;
  /** A command in place of the program; it gets no addresses. */
  command?: readonly string[];
  /** Ids of the scenarios; all unless given. */
  scenarios?: readonly string[];
  /** Aborts the run. */
  signal?: AbortSignal;
  timeouts?: { actionMs?: number; leaveMs?: number };
  /** Further keys of the file. */
  file?: Record<string, unknown>;
};

const EXAMPLES = fileURLToPath(new URL('../../../examples/', import.meta.url));
/** A template of the file. */
const template = (name: string) => `\${${name}}`;
const ADDRESSES = [
  '--auth',
  template('authUrl'),
  '--ehr',
  template('ehrUrl'),
  '--storage',
  template('storage'),
];

/** Opens a run against the client. */
export function openPlay(options: Omit<PlayOptions, 'scenarios'> = {}): Promise<ClientRun> {
  const { program = 'plain-client/client.mjs', env = {}, timeouts = {}, file = {} } = options;
  const { signal = new AbortController().signal } = options;
  const { command = [template('node'), program, ...ADDRESSES] } = options;
  const data = {
    name: 'The client of the self-test',
    client: { command, cwd: EXAMPLES, env },
    timeouts,
    ...file,
  };
  return openClientRun({
    loaded: { file: 'self-test', settings: clientFileSchema(() => undefined).parse(data) },
    clock: systemClock,
    seed: 1,
    random: systemRandom,
    env: process.env,
    signal,
  });
}

/** Plays the scenarios, and returns the run. */
export async function playClient({ scenarios, ...options }: PlayOptions = {}): Promise<Run> {
  const run = await openPlay(options);
  try {
    const all = clientChecks.map(({ scenario }) => scenario);
    const wanted = scenarios ? all.filter(({ id }) => scenarios.includes(id)) : all;
    await run.playAll(wanted);
    return { meta: run.meta({ tool: 'self-test', finished: true }), entries: run.recorder.entries() };
  } finally {
    await run.close();
  }
}
