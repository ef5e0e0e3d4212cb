/** Records the masked messages of a test where `npm run e2e` requests it by an environment variable. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Entry, ExchangeEntry, Link } from '#conformance/engine/journal/entry.ts';
import { Recorder } from '#conformance/engine/journal/recorder.ts';
import { Knowledge } from '#conformance/engine/journal/secrets/knowledge.ts';
import { duration } from '#conformance/engine/report/words.ts';
import { type RecordingProxy, startProxy } from '#conformance/engine/wire/proxy.ts';
import { personaList } from '#mis-fixtures/personas.ts';
import { authMethods } from '#protocol/methods/auth-methods.ts';
import { ehrMethods } from '#protocol/methods/ehr-methods.ts';
import { systemClock } from '#protocol/time/clock.ts';
import { violationsOf } from '#protocol/wire/violations.ts';
import { INTERNAL_PASSWORD, INTERNAL_USER } from '../fixtures.ts';
import { canaryPatient } from '../people.ts';
import { signOfLife } from '../runner/signs-of-life.ts';
import { Calls, type CrossedCall, partiesOf } from './calls.ts';
import { sentenceOf, type TestError } from './sentence.ts';

/** The record of a test: its journal, its calls in the order of answers, what it has seen if it failed. */
export type RecordedFlow = {
  readonly file: string;
  readonly title: string;
  readonly entries: readonly Entry[];
  readonly calls: readonly Pick<CrossedCall, 'seq' | 'link' | 'method' | 'outcome'>[];
  readonly sentence: string | undefined;
};

/** Maximum number of exchanges in a flow, as in the kit: nobody reads more of them arrow by arrow. */
const MAX_EXCHANGES = 60;

const directory = process.env.E2E_RECORDING;

let recorder: Recorder | undefined;
/** A journal that was kept elsewhere, in place of the recorder's. */
let given: { entries: () => readonly Entry[]; calls: readonly CrossedCall[] } | undefined;
let calls: Calls | undefined;
let exchanges = 0;
/** Those of the test that runs. */
const proxies: RecordingProxy[] = [];
let written = 0;

export function beginFlow(): void {
  if (directory === undefined) return;
  exchanges = 0;
  given = undefined;
  const knowledge = new Knowledge(INTERNAL_USER, INTERNAL_PASSWORD, patientData());
  recorder = new Recorder(systemClock, knowledge, { isKept });
  calls = new Calls(recorder, contractFlaw);
}

/** A browser's preflight request concerns only the browser and the server, and would double each arrow. */
function isKept(entry: Entry): boolean {
  return entry.kind !== 'exchange' || (entry.request.method !== 'OPTIONS' && ++exchanges <= MAX_EXCHANGES);
}

/** Writes the record of the test that has just run, if it has entries or failed. */
export async function endFlow(file: string, title: string, error?: TestError): Promise<void> {
  await Promise.all(proxies.splice(0).map((proxy) => proxy.stop()));
  if (exchanges > MAX_EXCHANGES) recorder?.note('Further messages are not shown.');
  const entries = given?.entries() ?? recorder?.entries() ?? [];
  const crossed = given?.calls ?? calls?.all() ?? [];
  const sentence = error && recorder?.knowledge.pseudonyms.mask(sentenceOf(error));
  recorder = undefined;
  if (directory === undefined || (entries.length === 0 && sentence === undefined)) return;
  mkdirSync(directory, { recursive: true });
  const called = crossed.map(({ seq, link, method, outcome }) => ({ seq, link, method, outcome }));
  const flow: RecordedFlow = { file, title, entries, calls: called, sentence };
  writeFileSync(join(directory, `${process.pid}-${++written}.json`), JSON.stringify(flow));
}

/** Takes the journal of a flow that has its own recorder; masked. */
export function recordEntries(entries: () => readonly Entry[], calls: readonly CrossedCall[]): void {
  given = { entries, calls };
}

/** Returns the first thing in a message that breaks the contract. */
export function contractFlaw({ link, request, response }: ExchangeEntry): string | undefined {
  if (!response) return undefined;
  const exchange = { status: response.status, request: request.body, reply: response.body };
  return violationsOf(exchange, link === 'client->auth' ? authMethods : ehrMethods)[0];
}

export function noteInFlow(text: string): void {
  signOfLife();
  recorder?.note(text);
}

export function noteClockInFlow(ms: number): void {
  noteInFlow(`The clock moves ${ms < 0 ? 'back' : 'ahead'} by ${duration(Math.abs(ms))}.`);
}

/** Returns the address of a proxy that records what goes on to `target`, or `target` without a record. */
export async function recordedAt(link: Link, target: string): Promise<string> {
  if (!recorder) return target;
  const proxy = await startProxy({ link, target, recorder, clock: systemClock });
  proxies.push(proxy);
  return proxy.url;
}

/** Says in the record that a link is cut, or whole again. */
export function noteCutInFlow(link: Link, isCut: boolean): void {
  const [from, to] = partiesOf(link);
  noteInFlow(
    isCut ? `From here on the ${from} cannot reach the ${to}.` : `Now the ${from} can reach the ${to} again.`,
  );
}

/** Returns the values that identify the patients of the tests, each with its meaning. */
function patientData(): Map<string, string> {
  const patients = [canaryPatient, ...personaList.flatMap((persona) => persona.patients)];
  return new Map(
    patients.flatMap(({ surname, name, birthdate }) => [
      [surname, 'the surname'],
      [name, 'the given name'],
      [birthdate.slice(0, 10), 'the date of birth'],
    ]),
  );
}
