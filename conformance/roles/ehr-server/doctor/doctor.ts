/**
 * Examines the set-up before any check is judged: both endpoints, the pace, the patients. A fault of the server
 * is named, and judged.
 */

import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { pause } from '#protocol/time/clock.ts';
import { isObject } from '#protocol/wire/envelope.ts';
import { NotPlayable, ScenarioStopped } from '../../../engine/check/playing.ts';
import { describe } from '../../../engine/journal/played-steps.ts';
import { reasonRemedy } from '../../../engine/party/explain-unreachable.ts';
import { whyNotJson } from '../../../engine/party/requests/json.ts';
import { CLOSED_EARLY } from '../../../engine/party/requests/send.ts';
import type { Diagnosis } from '../../../engine/role.ts';
import { isRefusedFor } from '../flow.ts';
import { NO_DIGESTS, WRONG_WAYS } from '../flows/internal-channel/wrong-digests.ts';
import type { EhrRun } from '../run.ts';
import { type KnownPerson, MIN_MATCHING } from '../settings.ts';
import type { Called } from '../world/calls.ts';
import { callOf, METHODS, readCall } from '../world/messages.ts';
import { propertiesOf } from '../world/patients.ts';
import { EhrWorld } from '../world/world.ts';

/** Without a remedy the server is judged. */
type Finding = { found: string; remedy?: string };

type Examination = { id: string; title: string; find: (world: EhrWorld) => Promise<Finding> };

const SCENARIO = 'set-up';

/** In the order in which they are made: each needs what those before it found right. */
const EXAMINATIONS: readonly Examination[] = [
  { id: 'endpoint', title: 'The public endpoint answers JSON-RPC calls', find: endpoint },
  { id: 'pace', title: 'The server answers in time', find: pace },
  {
    id: 'internal-channel',
    title: 'The internal channel takes calls with the digest',
    find: internalChannel,
  },
  { id: 'patients', title: 'The server finds the patients of people.matching', find: everyPatient },
];

export async function examineEhr(
  run: EhrRun,
  onDiagnosis: (diagnosis: Diagnosis) => void,
): Promise<Diagnosis[]> {
  const world = new EhrWorld(run.parts, SCENARIO);
  const all: Diagnosis[] = [];
  run.recorder.beginScenario(SCENARIO, { alone: true });
  for (const { id, title, find } of EXAMINATIONS) {
    const finding = await find(world);
    const diagnosis = { id, title, ok: finding.remedy === undefined, ...finding };
    all.push(diagnosis);
    onDiagnosis(diagnosis);
    if (!diagnosis.ok) break;
  }
  await world.end();
  run.recorder.endScenario(SCENARIO);
  return all;
}

const PROBES = {
  'a call without cred': readCall({}),
  'a call of an unknown method': readCall({ method: 'no.method' }),
  'an authenticate without params': JSON.stringify(callOf(METHODS.authenticate, {})),
};

/** The error of a transport fault, such as a wrong path, has no code: it is no JSON-RPC reply. */
const isReply = ({ reply }: Called) =>
  (isObject(reply?.error) && 'code' in reply.error) || reply?.result !== undefined;

const EXAMPLE = 'such as http://127.0.0.1:4100/1.0-alpha/.';

/** Finds any JSON-RPC reply right, an error too. A wrong answer among right ones is a fault of the server. */
async function endpoint(world: EhrWorld): Promise<Finding> {
  const { publicUrl } = world.parts;
  let wrong: { label: string; called: Called } | undefined;
  for (const [label, body] of Object.entries(PROBES)) {
    const called = await world.send(label, world.post(body))();
    if (isReply(called))
      return {
        found: wrong ? `${publicUrl}; but ${wrong.label} was answered ${wordsOf(wrong.called)}` : publicUrl,
      };
    wrong ??= { label, called };
  }
  return wrong ? withoutReply(publicUrl, wrong.called) : { found: publicUrl };
}

function withoutReply(publicUrl: string, called: Called): Finding {
  const { answer, result } = called;
  const found = `${publicUrl} answered ${wordsOf(called)}`;
  if (answer.kind === 'answer' && /"jsonrpc"/.test(answer.text))
    return { found: `${found}: a fault of the server, which is judged` };
  if (answer.kind === 'answer')
    return { found, remedy: `Give server.url the whole endpoint with its version segment, ${EXAMPLE}` };
  return result.kind === 'failed' && result.detail === CLOSED_EARLY
    ? { found, remedy: 'Look into the log of the server: it takes the call, and sends no whole answer.' }
    : { found, remedy: reasonRemedy(found) ?? START };
}

const START = 'Start the server, or correct server.url; with server.start the kit starts it.';

function wordsOf({ answer, result }: Called): string {
  if (answer.kind !== 'answer') return `with ${describe(result)}`;
  return `with HTTP ${answer.status} with a body that ${whyNotJson(answer.text) ?? 'is no JSON-RPC reply'}`;
}

/** Saves an exchange token, as the authorization server does, with the digest over the internal password. */
async function internalChannel(world: EhrWorld): Promise<Finding> {
  const { result } = await announced(world, 'save an exchange token');
  if (result.kind === 'done') return { found: 'an exchange token was saved' };
  const found = `save_exchange_token was answered: ${describe(result)}`;
  if (result.kind !== 'refused') return failedOf(world, result, found);
  if (result.status === 404 && !isRefusedFor(result, 'not_authorized')) return nothingThere(world, found);
  if (isRefusedFor(result, 'access_forbidden'))
    return { found, remedy: 'Give internalUrl the endpoint of the internal channel.' };
  if (isRefusedFor(result, 'invalid_params'))
    return { found, remedy: 'Give ttlUnit the unit that the server uses.' };
  const way = await takenWay(world);
  if (way !== undefined)
    return {
      found: `the digest is refused, and another is taken: ${way}. This is a fault of the server, which is judged; the kit prepares its checks by that digest`,
    };
  return {
    found,
    remedy:
      'Give internal.user and internal.password the values of the server: cred.token is sha1(password + exchange token) in lowercase hexadecimal.',
  };
}

function nothingThere({ parts, settings }: EhrWorld, found: string): Finding {
  const key = settings.internalUrl === undefined ? 'server.url' : 'internalUrl';
  return {
    found: `${found}, at ${parts.internalUrl}`,
    remedy: `There is no endpoint at this address: give ${key} the whole endpoint with its version segment, ${EXAMPLE}`,
  };
}

function failedOf(
  { parts: { internalUrl, publicUrl } }: EhrWorld,
  result: Exclude<Called['result'], { kind: 'done' | 'refused' }>,
  found: string,
): Finding {
  const isOfServer =
    result.kind === 'failed' && (result.what === 'server-error' || result.what === 'unexpected-answer');
  if (isOfServer) return faultOfServer(found);
  if (result.kind === 'failed' && result.what === 'timeout' && internalUrl === publicUrl)
    return {
      found: `${found}; the server answered calls before, and is silent now`,
      remedy: 'A fault of the server: look into its log for the call after which it answers none.',
    };
  const remedy = reasonRemedy(found);
  if (remedy !== undefined) return { found, remedy };
  if (/certificate|handshake/.test(found))
    return { found, remedy: 'Give internalTls the client certificate that the internal endpoint demands.' };
  return { found, remedy: 'Start the internal endpoint, or correct internalUrl.' };
}

const announced = (world: EhrWorld, label: string) =>
  world.saveExchangeToken(label, world.invented('exchange-token'), world.session())();

/** Finds a digest that the server takes instead of the right one, and prepares all checks by it. */
async function takenWay(world: EhrWorld): Promise<string | undefined> {
  const { dialect } = world.parts;
  const right = dialect.digest;
  for (const [way, digest] of Object.entries({ ...WRONG_WAYS, ...NO_DIGESTS })) {
    dialect.digest = digest;
    if ((await announced(world, `save with a digest ${way}`)).result.kind === 'done') return way;
  }
  dialect.digest = right;
  return undefined;
}

const faultOfServer = (found: string): Finding => ({
  found: `${found}: a fault of the server, which is judged as far as it can be`,
});

type Form = (person: KnownPerson) => Record<string, unknown>;

const FORMS: Readonly<Record<string, Form>> = {
  'without the gender': ({ gender: _gender, ...person }) => propertiesOf(person),
  'with the day alone as date': (person) => ({ ...propertiesOf(person), date: person.date }),
  'with an ISO 8601 date': (person) => ({ ...propertiesOf(person), date: `${person.date}T00:00:00.000Z` }),
  // A server that turns the date to another time zone takes midnight for the day before.
  'with noon as the time of day': (person) => ({
    ...propertiesOf(person),
    date: `${person.date} 12:00:00.000`,
  }),
  'with a plus before the phone': (person) => ({
    ...propertiesOf(person),
    phone: `+${person.phone.replace(/^\+/, '')}`,
  }),
};

type Missed = { number: number; person: KnownPerson; result: Called['result'] };

async function everyPatient(world: EhrWorld): Promise<Finding> {
  const { matching } = world.settings.people;
  const missed: Missed[] = [];
  let differing: string | undefined;
  try {
    for (const [index, person] of matching.entries()) {
      const number = index + 1;
      const { result } = await world.signIn(`authenticate person ${number}`, { person })();
      if (result.kind === 'done') continue;
      const isOfLink = isRefusedFor(result, 'patient_already_linked');
      const form = isOfLink ? undefined : await otherForm(world, number, person);
      if (form === undefined) missed.push({ number, person, result });
      else differing ??= `${form} (whole: ${describe(result)})`;
    }
  } catch (error) {
    if (error instanceof ScenarioStopped) return faultOfServer(error.message);
    // What the kit cannot play with this file is no fault of the server's patients.
    if (!(error instanceof NotPlayable)) throw error;
  }
  const [first] = missed;
  if (first) return notFound(world, missed, first);
  const count = `${matching.length} of ${matching.length}`;
  if (differing === undefined) return { found: count };
  return {
    found: `${count}; some only ${differing}: a fault of the server, which is judged; the kit prepares its checks so`,
  };
}

async function otherForm(world: EhrWorld, number: number, person: KnownPerson): Promise<string | undefined> {
  for (const [words, form] of Object.entries(FORMS)) {
    const label = `authenticate person ${number} ${words}`;
    const { result } = await world.signIn(label, { person }, { properties: form(person) })();
    if (result.kind !== 'done') continue;
    world.parts.dialect.properties = form;
    return words;
  }
  return undefined;
}

function notFound({ parts }: EhrWorld, missed: readonly Missed[], { number, result }: Missed): Finding {
  if (isRefusedFor(result, 'patient_already_linked'))
    return {
      found: `person ${number} of people.matching: ${describe(result)}`,
      remedy: 'The patient is linked to a user already: remove that link, or start with an empty database.',
    };
  const all = parts.settings.people.matching.length;
  const left = all - missed.length;
  const numbers = missed.map((each) => each.number).join(', ');
  const found = `${left} of ${all}; person ${numbers} of people.matching: ${describe(result)}`;
  if (missed.every((each) => each.result.kind === 'failed')) return faultOfServer(found);
  if (left >= MIN_MATCHING) {
    for (const { person } of missed) parts.patients.retire(person);
    return { found: `${found}${alike(missed)}. The others are judged` };
  }
  const isRefused = result.kind === 'refused' && !isRefusedFor(result, 'patient_not_matched');
  return {
    found: `${found}${alike(missed)}`,
    remedy: isRefused
      ? 'The server refuses the call itself, in each form that the kit tried: look into its log for what it lacks. Where a run found that links stay, its patients are linked still: empty the database first.'
      : 'Load the patients that the file names, or name patients whom the server has. Each needs name, surname, date and phone as the record has them.',
  };
}

function alike(missed: readonly Missed[]): string {
  for (const [index, { number, person }] of missed.entries())
    for (const other of missed.slice(index + 1)) {
      const names = (['name', 'surname', 'date', 'phone', 'gender'] as const).filter(
        (name) => person[name] !== other.person[name],
      );
      if (names.length <= 2)
        return `. Persons ${number} and ${other.number} differ in ${names.join(' and ')} alone: a server that ignores this finds two patients`;
    }
  return '';
}

const CALL = readCall({});
/** The pace is the median of this many calls, because one call alone may meet a pause. */
const SAMPLES = 3;
/** Where one call waits for another, calls at the same moment take at least this multiple of one. */
const TIMES_IN_TURN = 2.2;
/** Shorter calls say nothing about that. */
const MIN_MEASURED_MS = 30;
/** A call beside a held one is answered within this time, or that of a few calls: otherwise it waits. */
const MIN_LATE_MS = 400;
const LATE_CALLS = 4;
/** The time (ms) in which the server takes up the held request before the other one comes. */
const HELD_MS = 20;

async function pace(world: EhrWorld): Promise<Finding> {
  const { pace: known, clock } = world.parts;
  const call = () => world.send('a call to measure', world.post(CALL))();
  const took = async (act: () => Promise<unknown>) => {
    const begun = clock.now();
    await act();
    return clock.now() - begun;
  };
  const singles: number[] = [];
  for (let sample = 0; sample < SAMPLES; sample++) singles.push(await took(call));
  const single = singles.sort((a, b) => a - b)[1] ?? 0;
  const together = await took(() => Promise.all(singles.map(call)));
  const isSlow = single >= MIN_MEASURED_MS && together >= TIMES_IN_TURN * single;
  known.callMs = single;
  known.isOneAtATime = isSlow || (await waitsForAnother(world, single));
  const how = known.isOneAtATime
    ? 'one call at a time: a call waits for those before it, which is no fault'
    : 'several calls at a time';
  return { found: `${single} ms a call, ${how}` };
}

async function waitsForAnother(world: EhrWorld, single: number): Promise<boolean> {
  const { clock, publicUrl } = world.parts;
  const held = await holdHalf(publicUrl);
  await pause(clock, HELD_MS, world.parts.signal);
  const other = world.send('a call beside another', world.post(CALL))();
  let cancel: () => void = () => undefined;
  const late = new Promise<'late'>((resolve) => {
    cancel = clock.after(Math.max(MIN_LATE_MS, LATE_CALLS * single), () => resolve('late'));
  });
  const isLate = (await Promise.race([other, late])) === 'late';
  cancel();
  held.finish();
  const { result } = await other;
  // A server that answers neither is judged by other means.
  return isLate && result.kind !== 'failed';
}

async function holdHalf(url: string): Promise<{ finish(): void }> {
  const open = url.startsWith('https:') ? requestHttps : requestHttp;
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(CALL) };
  const request = open(url, { method: 'POST', headers, agent: false });
  request.on('response', (response) => response.resume());
  // What becomes of this request is of no interest: the other call is measured.
  await new Promise<void>((resolve) => {
    request.on('error', () => resolve());
    request.write(CALL.slice(0, CALL.length / 2), () => resolve());
  });
  return { finish: () => void request.end(CALL.slice(CALL.length / 2)) };
}
