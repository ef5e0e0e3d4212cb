import { type IncomingHttpHeaders, request } from 'node:http';
import { Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openConnection } from '#service/http/testing.ts';
import { proves } from '#testing/proves.ts';
import { straysOf } from '../../../engine/report/scenarios.ts';
import { people } from '../people/people.ts';
import { openPlay } from '../self-test/play.ts';
import type { ClientWorld } from '../world.ts';
import { strangerIn, visitorsOf } from './visitors.ts';

const CALL = JSON.stringify({ jsonrpc: '2.0', id: '1', method: 'embedded_storage.save_auth_info' });
const HOST = 'its Host is not the address of the kit, nor among `hosts` of the file';
const ORIGIN = 'its Origin is not that of the client, nor among `origins` of the file';
const NAMED = { hosts: ['Kit.Example'], origins: ['https://app.example', 'null'] };
const PAGE = { hosts: ['fd00::1'], browser: { address: 'http://clinic.example:8080' } };

test.each<[headers: IncomingHttpHeaders, reason: string | undefined, file?: object]>([
  [{ host: 'evil.example' }, HOST],
  [{ host: '192.0.2.1:4100' }, HOST],
  [{ origin: 'http://evil.example' }, ORIGIN],
  [{ origin: 'http://localhost.evil.example' }, ORIGIN],
  [{ origin: 'null' }, ORIGIN],
  [{ host: 'evil.example', origin: 'http://evil.example' }, HOST],
  [{}, undefined],
  [{ origin: 'http://localhost:5173' }, undefined],
  [{ origin: 'capacitor://localhost' }, undefined],
  [{ host: 'kit.example:80', origin: 'https://app.example' }, undefined, NAMED],
  [{ origin: 'null' }, undefined, NAMED],
  [{ host: '[fd00::1]:4100', origin: 'http://clinic.example:8080' }, undefined, PAGE],
  [{ host: '[fd00::2]:4100' }, HOST, PAGE],
  [{ origin: 'http://evil.example' }, ORIGIN, PAGE],
])('a request with %j is refused because of %j', (headers, reason, file) => {
  const visitors = visitorsOf({ hosts: [], origins: [], ...file });
  expect(strangerIn({ headers, socket: new Socket() }, visitors)).toBe(reason);
});

async function openRun() {
  const run = await openPlay();
  onTestFinished(() => run.close());
  return run;
}

/** Posts as a page does. Node's fetch sets no foreign Host. */
function post(url: string, headers: object, body = CALL): Promise<{ status: number; allowed: unknown }> {
  return new Promise((resolve, reject) => {
    const options = { method: 'POST', headers: { 'Content-Type': 'text/plain', ...headers } };
    const sent = request(url, options, (answer) => {
      const { statusCode: status = 0, headers } = answer;
      answer.resume().on('end', () => resolve({ status, allowed: headers['access-control-allow-origin'] }));
    });
    sent.on('error', reject).end(body);
  });
}

async function judged(...pages: readonly object[]) {
  const run = await openRun();
  const answers: { status: number; allowed: unknown }[] = [];
  const play = async (world: ClientWorld) => {
    await world.act('signs in', { do: 'signIn', phone: people.darya.signIn })();
    for (const headers of pages)
      for (const url of [run.urls.auth, `${run.urls.ehr}/1.0-alpha/`]) answers.push(await post(url, headers));
  };
  await run.play({ id: 'visited', title: 'visited', play, checks: [] });
  const entries = run.recorder.entries();
  const observed = entries.filter(({ kind }) => kind === 'observation');
  return { answers, observed, strays: straysOf(entries).map(({ link, because }) => [link, because]) };
}

proves(['T-page-4'], 'posts of a foreign page are refused, listed, not judged and not readable', async () => {
  const { answers, observed, strays } = await judged({ Host: 'evil.example' }, { Origin: 'null' });
  expect(answers).toEqual(Array(4).fill({ status: 403, allowed: undefined }));
  expect(observed).toEqual([]);
  expect(strays).toEqual(
    [HOST, ORIGIN].flatMap((why) => [
      ['client->auth', why],
      ['client->ehr', why],
    ]),
  );
});

test('the preflight of a foreign page is refused and listed', async () => {
  const { urls, recorder } = await openRun();
  const headers = { Origin: 'http://evil.example', 'Access-Control-Request-Method': 'POST' };
  const preflight = await fetch(urls.auth, { method: 'OPTIONS', headers });
  expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([403, null]);
  expect(straysOf(recorder.entries()).map(({ call }) => call)).toEqual(['OPTIONS /']);
});

test('the client itself is answered and judged, with and without an Origin', async () => {
  const origin = 'http://localhost:5173';
  const { answers, observed, strays } = await judged({}, { Origin: origin });
  expect(answers.map(({ status }) => status)).not.toContain(403);
  expect(answers.map(({ allowed }) => allowed)).toEqual([undefined, undefined, origin, origin]);
  expect(observed.length).toBeGreaterThan(0);
  expect(strays).toEqual([]);
});

test('a body above four megabytes is refused, at its length or without one', async () => {
  const { urls, recorder } = await openRun();
  const large = ' '.repeat(4 * 1024 * 1024 + 1);
  expect((await post(urls.auth, {}, large)).status).toBe(413);
  const { socket, until } = await openConnection(Number(new URL(urls.ehr).port));
  socket.write('POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n');
  socket.write(`${large.length.toString(16)}\r\n${large}\r\n`);
  await until(/^HTTP\/1\.1 413 /);
  const kept = recorder.entries().flatMap((entry) => (entry.kind === 'exchange' ? [entry.request.body] : []));
  expect(kept).toEqual(['', '']);
});
