/** Records the masked messages of a test where `npm run e2e` requests it by an environment variable. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Entry, ExchangeEntry, Link, RawExchange } from '#conformance/engine/journal/entry.ts';
import { type OpenExchange, Recorder } from '#conformance/engine/journal/recorder.ts';
import { Knowledge } from '#conformance/engine/journal/secrets/knowledge.ts';
import { duration } from '#conformance/engine/report/words.ts';
import { personaList } from '#mis-fixtures/personas.ts';
import { authMethods } from '#protocol/methods/auth-methods.ts';
import { ehrMethods } from '#protocol/methods/ehr-methods.ts';
import { systemClock } from '#protocol/time/clock.ts';
import { violationsOf } from '#protocol/wire/wire-guard.ts';
import { canaryPatient } from '../canary-patient.ts';
import { INTERNAL_PASSWORD, INTERNAL_USER } from '../fixtures.ts';
import { signOfLife } from '../runner/signs-of-life.ts';
import { Calls, type CrossedCall } from './calls.ts';
import { type HttpMessage, HttpReader } from './http-reader.ts';
import { sentenceOf, type TestError } from './sentence.ts';

/** The record of a test: its journal, its calls in the order of answers, what it has seen if it failed. */
export type RecordedFlow = {
  readonly file: string;
  readonly title: string;
  readonly entries: readonly Entry[];
  readonly calls: readonly Pick<CrossedCall, 'seq' | 'link' | 'method' | 'outcome'>[];
  readonly sentence: string | undefined;
};

export type ConnectionWatch = {
  onSent(chunk: Buffer): void;
  onAnswered(chunk: Buffer): void;
  onClosed(): void;
};

export type LinkWatch = { onConnection(): ConnectionWatch; onCut(isCut: boolean): void };

/** Maximum number of exchanges in a flow, as in the kit: nobody reads more of them arrow by arrow. */
const MAX_EXCHANGES = 60;

const directory = process.env.E2E_RECORDING;
const partyNames = {
  client: 'the client',
  auth: 'the authorization server',
  ehr: 'the EHR server',
  sms: 'the gateway',
};

let recorder: Recorder | undefined;
/** A journal that was kept elsewhere, in place of the recorder's. */
let given: { entries: () => readonly Entry[]; calls: readonly CrossedCall[] } | undefined;
let calls: Calls | undefined;
let exchanges = 0;
let written = 0;

export function beginFlow(): void {
  if (directory === undefined) return;
  exchanges = 0;
  given = undefined;
  recorder = new Recorder(systemClock, new Knowledge(INTERNAL_USER, INTERNAL_PASSWORD, patientData()));
  calls = new Calls(recorder, contractFlaw);
}

/** Writes the record of the test that has just run, if it has entries or failed. */
export function endFlow(file: string, title: string, error?: TestError): void {
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

/** Records the messages of a link. Returns undefined when nothing is to be recorded. */
export function watchLink(link: Link): LinkWatch | undefined {
  if (directory === undefined) return undefined;
  const [from, to] = link.split('->') as [keyof typeof partyNames, keyof typeof partyNames];
  return {
    onConnection: () => watchConnection(link),
    onCut: (isCut) =>
      noteInFlow(
        `${isCut ? 'From here on' : 'Now'} ${partyNames[from]} ${isCut ? 'cannot' : 'can'} reach ${partyNames[to]}${isCut ? '' : ' again'}.`,
      ),
  };
}

/** Returns a `fetch` that records its messages, for tests that call one server directly. */
export function watchFetch(link: Link): typeof fetch | undefined {
  if (directory === undefined) return undefined;
  return async (input, init) => {
    const request = new Request(input, init);
    const { pathname, search } = new URL(request.url);
    const raw: RawExchange = {
      link,
      request: {
        httpVersion: '1.1',
        method: request.method,
        path: pathname + search,
        headers: [...request.headers],
        body: await request.clone().text(),
      },
    };
    const open = beginExchange(link, raw);
    const response = await fetch(request);
    const { status, headers } = response;
    open?.end({ ...raw, response: { status, headers: [...headers], body: await response.clone().text() } });
    return response;
  };
}

function beginExchange(link: Link, raw: RawExchange): OpenExchange | undefined {
  exchanges++;
  if (exchanges === MAX_EXCHANGES + 1) noteInFlow('Further messages are not shown.');
  return exchanges > MAX_EXCHANGES ? undefined : recorder?.exchange(link, raw);
}

function watchConnection(link: Link): ConnectionWatch {
  const pending: { raw: RawExchange; open: OpenExchange | undefined }[] = [];
  const sent = new HttpReader({
    onHead(message) {
      const raw: RawExchange = { link, request: requestOf(message) };
      // A browser's preflight request concerns only the browser and the server, and would double each arrow.
      const isPreflight = raw.request.method === 'OPTIONS';
      pending.push({ raw, open: isPreflight ? undefined : beginExchange(link, raw) });
    },
    onEnd(message) {
      const asked = pending.at(-1);
      if (asked) asked.raw.request.body = message.body;
    },
  });
  const answered = new HttpReader({
    onHead: () => undefined,
    onEnd(message) {
      const asked = pending.shift();
      asked?.open?.end({ ...asked.raw, response: responseOf(message) });
    },
  });
  return {
    onSent: (chunk) => sent.push(chunk),
    onAnswered: (chunk) => answered.push(chunk),
    onClosed() {
      for (const { raw, open } of pending.splice(0)) open?.end(raw, { broke: 'closed-early' });
    },
  };
}

function requestOf({ start, headers }: HttpMessage): RawExchange['request'] {
  const [method = '', path = '', version = ''] = start.split(' ');
  return { httpVersion: version.replace('HTTP/', ''), method, path, headers, body: '' };
}

function responseOf({ start, headers, body }: HttpMessage): NonNullable<RawExchange['response']> {
  return { status: Number(start.split(' ')[1]), headers, body };
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
