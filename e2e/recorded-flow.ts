/**
 * Records what crosses between the parties while a test runs, masked as the conformance kit masks it, for the page of
 * all flows. It does nothing unless `npm run e2e` asks for it by an environment variable.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Entry, Link } from '#conformance/journal/entry.ts';
import { Knowledge } from '#conformance/journal/knowledge.ts';
import type { RawExchange } from '#conformance/journal/observe.ts';
import { type OpenExchange, Recorder } from '#conformance/journal/recorder.ts';
import { duration } from '#conformance/report/words.ts';
import { personaList } from '#mis-fixtures/personas.ts';
import { systemClock } from '#protocol/clock.ts';
import { canaryPatient } from './canary-patient.ts';
import { INTERNAL_PASSWORD, INTERNAL_USER } from './fixtures.ts';
import { type HttpMessage, HttpReader } from './http-reader.ts';

/** What one test left: its file from the root of the project, its title with those of its groups, and its journal. */
export type RecordedFlow = { readonly file: string; readonly title: string; readonly entries: readonly Entry[] };

/** Hears of one connection between two parties. */
export type ConnectionWatch = { sent(chunk: Buffer): void; answered(chunk: Buffer): void; closed(): void };

/** Hears of all connections of one link, and when it is cut. */
export type LinkWatch = { connection(): ConnectionWatch; cut(isCut: boolean): void };

/** A crowd of calls is not read arrow by arrow; as many as the kit shows of a scenario. */
const MAX_EXCHANGES = 60;

/** Where to record into. */
const directory = process.env.E2E_RECORDING;
const partyNames = {
  client: 'the client',
  auth: 'the authorization server',
  ehr: 'the EHR server',
  sms: 'the gateway',
};

let recorder: Recorder | undefined;
let exchanges = 0;
let written = 0;

/** Begins with an empty journal. */
export function beginFlow(): void {
  if (directory === undefined) return;
  exchanges = 0;
  recorder = new Recorder(systemClock, new Knowledge(INTERNAL_USER, INTERNAL_PASSWORD, patientData()));
}

/** Writes the journal of the test that has just run, if anything crossed. */
export function endFlow(file: string, title: string): void {
  const entries = recorder?.entries() ?? [];
  recorder = undefined;
  if (directory === undefined || entries.length === 0) return;
  mkdirSync(directory, { recursive: true });
  const flow: RecordedFlow = { file, title, entries };
  writeFileSync(join(directory, `${process.pid}-${++written}.json`), JSON.stringify(flow));
}

/** Adds a remark, such as what a person does. */
export function noteInFlow(text: string): void {
  recorder?.note(text);
}

/** Adds the remark that the clock of all parties was moved. */
export function noteClockInFlow(ms: number): void {
  noteInFlow(`The clock moves ${ms < 0 ? 'back' : 'ahead'} by ${duration(Math.abs(ms))}.`);
}

/** Records what crosses a link; undefined where nothing is recorded. */
export function watchLink(link: Link): LinkWatch | undefined {
  if (directory === undefined) return undefined;
  const [from, to] = link.split('->') as [keyof typeof partyNames, keyof typeof partyNames];
  return {
    connection: () => watchConnection(link),
    cut: (isCut) =>
      noteInFlow(
        `${isCut ? 'From here on' : 'Now'} ${partyNames[from]} ${isCut ? 'cannot' : 'can'} reach ${partyNames[to]}${isCut ? '' : ' again'}.`,
      ),
  };
}

/** Sends as `fetch` does, and records it: for tests that speak to one server without a party between. */
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
      // A browser asks for permission before a call; that is between it and the server, and would double each arrow.
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
    sent: (chunk) => sent.push(chunk),
    answered: (chunk) => answered.push(chunk),
    closed() {
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

/** What identifies the patients of the tests, each with what it is. */
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
