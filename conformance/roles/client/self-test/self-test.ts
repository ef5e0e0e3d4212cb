/** The catalogue of the client role for the self-test. */
import { fileURLToPath } from 'node:url';
import { systemClock } from '#protocol/time/clock.ts';
import { systemRandom } from '#protocol/time/random.ts';
import type { Catalogue } from '../../../engine/defects/catalogue.ts';
import type { Run } from '../../../engine/journal/run-file.ts';
import { type ClientVariant, clientDefects, harmlessClients, REFERENCE } from '../defects/index.mjs';
import { browserFlows } from '../flows/browser.ts';
import { allClientChecks, clientFlows } from '../flows/index.ts';
import { type ClientRun, openClientRun } from '../run.ts';
import { clientFileSchema } from '../settings.ts';

export type PlayOptions = {
  /** The script that `node` runs, relative to the examples; the right client unless given. */
  program?: string;
  env?: Record<string, string>;
  /** A whole command in place of the script. The kit adds no addresses to it. */
  command?: readonly string[];
  scenarios?: readonly string[];
  signal?: AbortSignal;
  file?: Record<string, unknown>;
};

const EXAMPLES = fileURLToPath(new URL('../../../examples/', import.meta.url));
/** A template of the file, such as `${storage}`. */
export const template = (name: string) => `\${${name}}`;
const commandOf = (program: string) => [
  ...[template('node'), program, '--auth', template('authUrl'), '--ehr', template('ehrUrl')],
  ...['--storage', template('storage')],
];

const VARIANT = fileURLToPath(new URL('../defects/run-variant.mjs', import.meta.url));

/** Options that play the variant with this id in the place of the right client. */
export const variant = (id: string) => ({ program: VARIANT, env: { DEFECT: id } });

/** The command of a client that calls nobody, and shows the same after each action. */
export const showing = (seen: object): readonly string[] => {
  return ['sh', '-c', `while read -r line; do echo '${JSON.stringify(seen)}'; done`];
};

export function openPlay(options: Omit<PlayOptions, 'scenarios'> = {}): Promise<ClientRun> {
  const { program = 'plain-client/client.mjs', env = {}, file = {} } = options;
  const { signal = new AbortController().signal, command = commandOf(program) } = options;
  const client = { command, cwd: EXAMPLES, env };
  const data = { name: 'The client of the self-test', client, ...file };
  return openClientRun({
    loaded: { file: 'self-test', settings: clientFileSchema(() => undefined).parse(data) },
    clock: systemClock,
    seed: 1,
    random: systemRandom,
    env: process.env,
    signal,
  });
}

export async function playClient({ scenarios, ...options }: PlayOptions = {}): Promise<Run> {
  const run = await openPlay(options);
  try {
    const wanted = clientFlows.filter(({ id }) => scenarios?.includes(id) ?? true);
    await run.playAll(wanted);
    return { meta: run.meta({ tool: 'self-test', finished: true }), entries: run.recorder.entries() };
  } finally {
    await run.close();
  }
}

const NEEDS_BROWSER = new Set(browserFlows.flatMap(({ checks }) => checks).map(({ id }) => id));

export const clientCatalogue: Catalogue<ClientVariant> = {
  party: 'client',
  checks: allClientChecks,
  reference: REFERENCE,
  // The kit drives these clients by a command.
  mayNotApply: (check) => NEEDS_BROWSER.has(check),
  mostPlayed: 4,
  defects: clientDefects,
  harmless: harmlessClients,
  play: ({ id, file }, { signal }, { scenarios }) =>
    playClient({
      signal,
      ...(file && { file }),
      ...(id !== REFERENCE.id && variant(id)),
      ...(scenarios && { scenarios }),
    }),
};
