/**
 * Plays scenarios against a client that is started by a command, for the self-test and the tests of the kit.
 * The client is one of the examples: the right one, or one with a defect.
 */
import { fileURLToPath } from 'node:url';
import { systemClock } from '#protocol/time/clock.ts';
import { systemRandom } from '#protocol/time/random.ts';
import type { Run } from '../../../engine/journal/run-file.ts';
import { clientScenarios } from '../flows/index.ts';
import { type ClientRun, openClientRun } from '../run.ts';
import { clientFileSchema } from '../settings.ts';

export type PlayOptions = {
  /** The script that `node` runs, relative to the examples; the right client unless given. */
  program?: string;
  /** Environment variables of the client. */
  env?: Record<string, string>;
  /** A whole command in place of the script. The kit adds no addresses to it. */
  command?: readonly string[];
  /** Ids of the scenarios; all unless given. */
  scenarios?: readonly string[];
  signal?: AbortSignal;
  /** As in the file about a client, in ms. */
  timeouts?: { actionMs?: number; leaveMs?: number };
  /** Further keys of the file about the client. */
  file?: Record<string, unknown>;
};

const EXAMPLES = fileURLToPath(new URL('../../../examples/', import.meta.url));
/** A template as it stands in the file: `${name}`, which the kit replaces when it starts the client. */
const template = (name: string) => `\${${name}}`;
const commandOf = (program: string) => [template('node'), program, ...ADDRESSES];
/** Arguments that tell a client where the servers are, and where it may store data. */
const ADDRESSES = [
  '--auth',
  template('authUrl'),
  '--ehr',
  template('ehrUrl'),
  '--storage',
  template('storage'),
];

/** The right client with one defect, which the variable DEFECT names. */
export const TWIN = fileURLToPath(new URL('../defects/twin.mjs', import.meta.url));

/** Opens a run against the client. The caller plays and closes it. */
export function openPlay(options: Omit<PlayOptions, 'scenarios'> = {}): Promise<ClientRun> {
  const { program = 'plain-client/client.mjs', env = {}, timeouts = {}, file = {} } = options;
  const { signal = new AbortController().signal } = options;
  const { command = commandOf(program) } = options;
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

/** Plays the scenarios, closes the run, and returns its journal. */
export async function playClient({ scenarios, ...options }: PlayOptions = {}): Promise<Run> {
  const run = await openPlay(options);
  try {
    const wanted = clientScenarios.filter(({ id }) => scenarios?.includes(id) ?? true);
    await run.playAll(wanted);
    return { meta: run.meta({ tool: 'self-test', finished: true }), entries: run.recorder.entries() };
  } finally {
    await run.close();
  }
}
