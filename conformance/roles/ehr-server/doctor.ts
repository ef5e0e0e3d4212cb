/** Finds out whether an EHR server can be judged at all: address, internal credentials, patients. */

import { describe } from '../../engine/journal/describe-result.ts';
import type { Diagnosis } from '../../engine/party/diagnosis.ts';
import { whyNotJson } from '../../engine/party/requests/why-not-json.ts';
import type { EhrRun } from './run.ts';
import { propertiesOf } from './world/patients.ts';
import { type Called, EhrWorld, NotPlayable } from './world/world.ts';

/** The scenario under which the journal keeps what the doctor did. */
const SCENARIO = 'set-up';

/** Examines the set-up; stops at the first problem. Each diagnosis is reported as soon as it is known. */
export async function examineEhr(
  run: EhrRun,
  onDiagnosis: (diagnosis: Diagnosis) => void,
): Promise<Diagnosis[]> {
  const world = new EhrWorld(run.parts, SCENARIO);
  const all: Diagnosis[] = [];
  run.recorder.beginScenario(SCENARIO, true);
  for (const examine of [endpoint, internalChannel, everyPatient]) {
    const diagnosis = await examine(world, run);
    all.push(diagnosis);
    onDiagnosis(diagnosis);
    if (!diagnosis.ok) break;
  }
  await world.end();
  run.recorder.endScenario(SCENARIO);
  return all;
}

const ENDPOINT = 'The public endpoint answers JSON-RPC calls';

async function endpoint(world: EhrWorld): Promise<Diagnosis> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'patient.get_patient', params: {} });
  const { result, reply, answer } = await world.send('a call without cred', world.post(body));
  if (reply?.error !== undefined || reply?.result !== undefined)
    return { ok: true, id: 'endpoint', title: ENDPOINT, found: world.publicUrl };
  const status =
    answer.kind === 'answer'
      ? `HTTP ${answer.status} with a body that ${whyNotJson(answer.text) ?? 'is no JSON-RPC reply'}`
      : describe(result);
  return {
    ok: false,
    id: 'endpoint',
    title: ENDPOINT,
    found: `${world.publicUrl} answered with ${status}`,
    remedy:
      answer.kind === 'answer'
        ? 'Give server.url the whole endpoint with its version segment, such as http://127.0.0.1:4100/1.0-alpha/.'
        : 'Start the server, or correct server.url; with server.start the kit starts it.',
  };
}

const CHANNEL = 'The internal channel takes calls with the digest';

async function internalChannel(world: EhrWorld): Promise<Diagnosis> {
  const exchangeToken = world.invented('exchange-token');
  const { result } = await world.saveExchangeToken('save an exchange token', exchangeToken, world.session());
  if (result.kind === 'done')
    return { ok: true, id: 'internal-channel', title: CHANNEL, found: 'an exchange token was saved' };
  return {
    ok: false,
    id: 'internal-channel',
    title: CHANNEL,
    found: `save_exchange_token was answered: ${describe(result)}`,
    remedy: remedyOf(result),
  };
}

function remedyOf(result: Called['result']): string {
  const { code, reason } = result.kind === 'refused' ? result : { code: undefined, reason: undefined };
  if (reason === 'access_forbidden' || code === '-33403')
    return 'Give internalUrl the endpoint of the internal channel.';
  if (reason === 'not_authorized' || code === '-33000')
    return 'Give internal.user and internal.password the values of the server: cred.token is sha1(password + exchange token) in lowercase hexadecimal.';
  if (reason === 'invalid_params' || code === '-32602') return 'Give ttlUnit the unit that the server uses.';
  return 'Look into the log of the server for this call.';
}

const PATIENTS = 'The server finds the patients of people.matching';

async function everyPatient(world: EhrWorld, { parts }: EhrRun): Promise<Diagnosis> {
  const { matching } = parts.settings.people;
  for (const [index, person] of matching.entries()) {
    try {
      const pending = await world.pending({ person });
      const { result } = await world.authenticate(
        `authenticate person ${index + 1}`,
        pending,
        propertiesOf(person),
      );
      if (result.kind !== 'done') return notFound(index + 1, result);
    } catch (error) {
      if (error instanceof NotPlayable) break;
      throw error;
    }
  }
  return { ok: true, id: 'patients', title: PATIENTS, found: `${matching.length} of ${matching.length}` };
}

function notFound(number: number, result: Called['result']): Diagnosis {
  const code = result.kind === 'refused' ? result.code : undefined;
  const remedy =
    code === '-34009'
      ? 'The patient is linked to a user already: remove that link, or start with an empty database.'
      : 'Load the patients that the file names, or name patients whom the server has. Each needs name, surname, date and phone as the record has them.';
  return {
    ok: false,
    id: 'patients',
    title: PATIENTS,
    found: `person ${number} of people.matching: ${describe(result)}`,
    remedy,
  };
}
