/**
 * The doctor of the role EHR server: examines the set-up before any check is judged. It looks whether the
 * address answers, the internal credentials are right and the server knows the patients of the file.
 */

import { describe } from '../../engine/journal/describe-result.ts';
import type { Diagnosis } from '../../engine/party/diagnosis.ts';
import { whyNotJson } from '../../engine/party/requests/why-not-json.ts';
import type { EhrRun } from './run.ts';
import type { Called } from './world/calls.ts';
import { NotPlayable } from './world/conditions.ts';
import { readCall } from './world/messages.ts';
import { EhrWorld } from './world/world.ts';

/** The journal keeps the doctor's calls under a scenario of this name. */
const SCENARIO = 'set-up';

/**
 * What was found, in words for the user. The remedy says what to do; without a remedy there is no problem.
 */
type Finding = { found: string; remedy?: string };

type Examination = { id: string; title: string; find: (world: EhrWorld) => Promise<Finding> };

/** In the order in which they are made: each needs what those before it found right. */
const EXAMINATIONS: readonly Examination[] = [
  { id: 'endpoint', title: 'The public endpoint answers JSON-RPC calls', find: endpoint },
  {
    id: 'internal-channel',
    title: 'The internal channel takes calls with the digest',
    find: internalChannel,
  },
  { id: 'patients', title: 'The server finds the patients of people.matching', find: everyPatient },
];

/** Makes the examinations up to the first problem. Reports each diagnosis as soon as it is known. */
export async function examineEhr(
  run: EhrRun,
  onDiagnosis: (diagnosis: Diagnosis) => void,
): Promise<Diagnosis[]> {
  const world = new EhrWorld(run.parts, SCENARIO);
  const all: Diagnosis[] = [];
  run.recorder.beginScenario(SCENARIO, true);
  for (const { id, title, find } of EXAMINATIONS) {
    const { found, remedy } = await find(world);
    const ok = remedy === undefined;
    const diagnosis = { ok, id, title, found, ...(remedy !== undefined && { remedy }) };
    all.push(diagnosis);
    onDiagnosis(diagnosis);
    if (!ok) break;
  }
  await world.end();
  run.recorder.endScenario(SCENARIO);
  return all;
}

/** Finds any JSON-RPC reply right, an error too: a call without cred must be refused. */
async function endpoint(world: EhrWorld): Promise<Finding> {
  const { publicUrl } = world.parts;
  const { result, reply, answer } = await world.send('a call without cred', world.post(readCall({})));
  if (reply?.error !== undefined || reply?.result !== undefined) return { found: publicUrl };
  if (answer.kind !== 'answer')
    return {
      found: `${publicUrl} answered with ${describe(result)}`,
      remedy: 'Start the server, or correct server.url; with server.start the kit starts it.',
    };
  const why = whyNotJson(answer.text) ?? 'is no JSON-RPC reply';
  return {
    found: `${publicUrl} answered with HTTP ${answer.status} with a body that ${why}`,
    remedy:
      'Give server.url the whole endpoint with its version segment, such as http://127.0.0.1:4100/1.0-alpha/.',
  };
}

/** Saves an exchange token, as the authorization server does, with the digest over the internal password. */
async function internalChannel(world: EhrWorld): Promise<Finding> {
  const exchangeToken = world.invented('exchange-token');
  const { result } = await world.saveExchangeToken('save an exchange token', exchangeToken, world.session());
  if (result.kind === 'done') return { found: 'an exchange token was saved' };
  return { found: `save_exchange_token was answered: ${describe(result)}`, remedy: remedyOf(result) };
}

/** What to do where the internal call was refused, or failed. */
function remedyOf(result: Called['result']): string {
  const { code, reason } = result.kind === 'refused' ? result : { code: undefined, reason: undefined };
  if (reason === 'access_forbidden' || code === '-33403')
    return 'Give internalUrl the endpoint of the internal channel.';
  if (reason === 'not_authorized' || code === '-33000')
    return 'Give internal.user and internal.password the values of the server: cred.token is sha1(password + exchange token) in lowercase hexadecimal.';
  if (reason === 'invalid_params' || code === '-32602') return 'Give ttlUnit the unit that the server uses.';
  return 'Look into the log of the server for this call.';
}

/** Links each patient of people.matching to a new user. The end of the scenario removes the links. */
async function everyPatient(world: EhrWorld): Promise<Finding> {
  const { matching } = world.settings.people;
  for (const [index, person] of matching.entries()) {
    try {
      const { result } = await world.signIn(`authenticate person ${index + 1}`, { person });
      if (result.kind !== 'done') return notFound(index + 1, result);
    } catch (error) {
      // What the kit cannot play with this file is no fault of the server's patients.
      if (error instanceof NotPlayable) break;
      throw error;
    }
  }
  return { found: `${matching.length} of ${matching.length}` };
}

/** The finding about a patient whom authenticate did not link. `number` is the place in the list, from 1. */
function notFound(number: number, result: Called['result']): Finding {
  // -34009: patient_already_linked.
  const isLinked = result.kind === 'refused' && result.code === '-34009';
  return {
    found: `person ${number} of people.matching: ${describe(result)}`,
    remedy: isLinked
      ? 'The patient is linked to a user already: remove that link, or start with an empty database.'
      : 'Load the patients that the file names, or name patients whom the server has. Each needs name, surname, date and phone as the record has them.',
  };
}
