import { type IncomingHttpHeaders, request } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openConnection } from '#service/http/testing.ts';
import { proves } from '#testing/proves.ts';
import { straysOf } from '../../../engine/report/strays.ts';
import { people } from '../people/people.ts';
import type { ClientRun } from '../run.ts';
import { openPlay } from '../self-test/play.ts';
import { clientFileSchema } from '../settings.ts';
import type { ClientWorld } from '../world.ts';
import { strangerIn, visitorsOf } from './visitors.ts';

const CALL = JSON.stringify({ jsonrpc: '2.0', id: 'not a number', method: 'auth.request_otp', params: [] });
const HOST_REASON = 'its Host is not the address of the kit, nor among `hosts` of the file';
const ORIGIN_REASON = 'its Origin is not that of the client, nor among `origins` of the file';

async function openRun(file: Record<string, unknown> = {}): Promise<ClientRun> {
  const run = await openPlay({ file });
  onTestFinished(() => run.close());
  return run;
}

/** Posts as a page does. Node's fetch sets no foreign Host. */
function post(
  url: string,
  headers: Record<string, string>,
  body = CALL,
): Promise<{ status: number; allowed: unknown }> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { method: 'POST', headers: { 'Content-Type': 'text/plain', ...headers } },
      (answer) => {
        answer.resume().on('end', () => {
          resolve({ status: answer.statusCode ?? 0, allowed: answer.headers['access-control-allow-origin'] });
        });
      },
    );
    sent.on('error', reject).end(body);
  });
}

/** Plays a sign-in during which a page posts to both servers, and returns what was judged of its messages. */
async function judged(run: ClientRun, headers: Record<string, string>) {
  const statuses: number[] = [];
  const play = async (world: ClientWorld) => {
    await world.act('signs in', { do: 'signIn', phone: people.darya.signIn });
    for (const url of [run.urls.auth, `${run.urls.ehr}/1.0-alpha/`])
      statuses.push((await post(url, headers)).status);
  };
  await run.play({ id: 'visited', title: 'visited', play });
  const entries = run.recorder.entries();
  const observed = entries.filter(({ kind }) => kind === 'observation');
  return { statuses, observed, strays: straysOf(entries).map(({ link, because }) => [link, because]) };
}

describe('a page of another site', () => {
  for (const [what, headers, reason] of [
    ['Host', { Host: 'evil.example' }, HOST_REASON],
    ['Host of another address', { Host: '192.0.2.1:4100' }, HOST_REASON],
    ['Origin', { Origin: 'http://evil.example' }, ORIGIN_REASON],
    ['Origin like the name of this machine', { Origin: 'http://localhost.evil.example' }, ORIGIN_REASON],
    ['Origin of nowhere', { Origin: 'null' }, ORIGIN_REASON],
    ['Host and Origin', { Host: 'evil.example', Origin: 'http://evil.example' }, HOST_REASON],
  ] as const) {
    proves(['T-page-4'], `posts with a foreign ${what} are refused, listed and not judged`, async () => {
      const { statuses, observed, strays } = await judged(await openRun(), headers);
      expect(statuses).toEqual([403, 403]);
      expect(observed).toEqual([]);
      expect(strays).toEqual([
        ['client->auth', reason],
        ['client->ehr', reason],
      ]);
    });
  }

  test('its refusal may not be read, and its preflight is refused too', async () => {
    const { urls, recorder } = await openRun();
    const headers = { Origin: 'http://evil.example' };
    expect(await post(urls.auth, headers)).toEqual({ status: 403, allowed: undefined });
    const asks = { ...headers, 'Access-Control-Request-Method': 'POST' };
    const preflight = await fetch(urls.auth, { method: 'OPTIONS', headers: asks });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([403, null]);
    expect(straysOf(recorder.entries()).map(({ call }) => call)).toEqual(['POST /', 'OPTIONS /']);
  });
});

test('the client itself is answered and judged, with and without an Origin', async () => {
  for (const headers of [
    {},
    { Origin: 'http://localhost:5173' },
    { Origin: 'capacitor://localhost' },
  ] as const) {
    const { statuses, observed, strays } = await judged(await openRun(), headers);
    expect(statuses).not.toContain(403);
    expect(observed.length).toBeGreaterThan(0);
    expect(strays).toEqual([]);
  }
});

test('the names and origins of the file are those of the client', async () => {
  const file = { hosts: ['Kit.Example'], origins: ['https://app.example', 'null'] };
  for (const headers of [
    { Host: 'kit.example:80', Origin: 'https://app.example' },
    { Origin: 'null' },
  ] as const) {
    const { statuses, strays } = await judged(await openRun(file), headers);
    expect(statuses).not.toContain(403);
    expect(strays).toEqual([]);
  }
});

test('the page of the file, and one on the host of the kit, may call from where they are', () => {
  const clinic = 'http://clinic.example:8080';
  const person = { host: 'fd00::1', address: clinic };
  const visitors = visitorsOf(clientFileSchema(() => undefined).parse({ name: 'a client', person }));
  const reasonFor = (headers: IncomingHttpHeaders) => strangerIn({ headers, socket: new Socket() }, visitors);
  for (const origin of [clinic, 'http://[fd00::1]:5173']) {
    expect(reasonFor({ host: '[fd00::1]:4100', origin })).toBeUndefined();
  }
  expect(reasonFor({ host: '[fd00::2]:4100' })).toBe(HOST_REASON);
  expect(reasonFor({ origin: 'http://evil.example' })).toBe(ORIGIN_REASON);
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
