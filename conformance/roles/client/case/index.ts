/** How a failing check of a client is told as a case that stands alone. */
import { isObject } from '#protocol/wire/envelope.ts';
import { CALL_ELSEWHERE } from '../../../engine/case/acted/acted-trace.ts';
import type { CaseOpening, CaseRole } from '../../../engine/case/case-role.ts';
import { quoted } from '../../../engine/case/js-text.ts';
import type { Stand } from '../../../engine/case/told.ts';
import { readText } from '../../../engine/party/file/read-text.ts';
import { readYaml } from '../../../engine/party/file/yaml-source.ts';
import { type ClientVariant, REFERENCE } from '../defects/index.mjs';
import { canaries, people } from '../people/people.ts';
import { EHR_METHODS } from '../servers/calls.ts';
import { SENT_ELSEWHERE } from '../servers/troubles.ts';
import { loadClientFile } from '../settings.ts';
import { standByHand } from './by-hand.ts';
import { factsOfClient } from './facts.ts';
import { NOTES, partsOf } from './parts.ts';
import { partyOf, RIGHT } from './variant.ts';

/** The methods that a client calls. */
const METHODS = [
  ...['auth.request_otp', 'auth.confirm_otp', 'auth.exchange_token', 'auth.report_link'],
  ...['auth.logout', 'auth.delete_user', ...Object.values(EHR_METHODS), CALL_ELSEWHERE],
];

export const cases: CaseRole<ClientVariant> = {
  sides: {
    ...{ calls: [], party: [] },
    acts: {
      ...{ methods: METHODS, notes: NOTES, elsewhere: SENT_ELSEWHERE, facts: factsOfClient },
      constants: [...canaries().keys(), ...Object.values(people).map(({ signIn }) => signIn)],
    },
  },
  isAlike: false,
  standOf,
  rightFor: async (options) => partyOf(REFERENCE, options, RIGHT),
  variant: partyOf,
};

async function standOf({ config, env, ...options }: CaseOpening): Promise<Stand> {
  const { settings } = loadClientFile(config, env);
  const { client } = settings;
  if (!client) return standByHand(settings, { env, ...options });
  const program = { command: client.command, folder: client.cwd ?? '.', env: variablesOf(config) };
  return { parts: (told) => partsOf(settings, program, told), env: {}, close: async () => undefined };
}

/** The variables of the program. What the file takes from the environment, the script takes from there. */
function variablesOf(config: string): Record<string, string> {
  const source = readYaml(readText(config));
  const data = !Array.isArray(source) && isObject(source.data) ? source.data : {};
  const env = isObject(data.client) && isObject(data.client.env) ? data.client.env : {};
  return Object.fromEntries(
    Object.entries(env).map(([name, value]) => [
      name,
      isObject(value) ? `process.env[${quoted(String(value.env))}]` : quoted(String(value)),
    ]),
  );
}
