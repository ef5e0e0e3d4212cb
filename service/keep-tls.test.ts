import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { manualClock } from '#protocol/clock.ts';
import { recordingClock } from '#protocol/testing.ts';
import { requestText } from './testing.ts';
import { type Authority, type CertificateFiles, createAuthority, replaceFiles } from './testing-certificates.ts';
import { ask, clientsOf, failureOf, openTls, serveTls } from './testing-tls.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const GET = requestText('GET /');
const trust = ({ ca }: Authority) => ({ ca: readFileSync(ca) });
const show = ({ cert, key }: CertificateFiles) => ({ cert: readFileSync(cert), key: readFileSync(key) });

/** The common name of the certificate that new connections are shown. */
async function shownName(port: number, authority: Authority): Promise<unknown> {
  const { socket } = await openTls(port, trust(authority));
  return socket.getPeerCertificate().subject.CN;
}

test('a certificate that was renewed is shown within a minute, and open connections stay', async () => {
  const authority = await createAuthority();
  const clock = manualClock();
  const files = await authority.issue('former');
  const { port, logged } = await serveTls(files, { clock });
  const open = await openTls(port, trust(authority));
  open.socket.write(GET);
  await open.until(/done/);
  replaceFiles(files, await authority.issue('next'));
  clock.advance(MINUTE - 1);
  expect(await shownName(port, authority)).toBe('former');
  clock.advance(1);
  expect(await shownName(port, authority)).toBe('next');
  expect(logged).toMatchObject([{ level: 30, validTo: '2099-01-01T00:00:00.000Z' }]);
  open.socket.write(GET);
  await open.until(/done.*done/s);
  replaceFiles(files, await authority.issue('next but one'));
  clock.advance(MINUTE);
  expect(await shownName(port, authority)).toBe('next but one');
  clock.advance(MINUTE);
  expect(logged).toHaveLength(2);
});

test('after a renewal TLS 1.1 stays refused and clients without a certificate too', async () => {
  const authority = await createAuthority();
  const clock = manualClock();
  const files = await authority.issue('former');
  const { url, port } = await serveTls(files, { clock, clientCa: clientsOf(authority) });
  replaceFiles(files, await authority.issue('next'));
  clock.advance(MINUTE);
  expect(await shownName(port, authority)).toBe('next');
  expect(await failureOf(url, trust(authority))).not.toBe('answered');
  const client = { ...trust(authority), ...show(await authority.issue('client')) };
  expect(await ask(url, client)).toMatchObject({ status: 200 });
  const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
  await expect(ask(url, { ...client, ...old })).rejects.toThrow('alert protocol version');
});

test('a renewal that is half done is told and changes nothing, until its other half is there', async () => {
  const authority = await createAuthority();
  const clock = manualClock();
  const files = await authority.issue('former');
  const { port, logged } = await serveTls(files, { clock });
  const next = await authority.issue('next');
  copyFileSync(next.cert, files.cert);
  clock.advance(3 * MINUTE);
  expect(logged).toMatchObject([{ level: 40, detail: expect.stringContaining('is not the key of the certificate') }]);
  expect(await shownName(port, authority)).toBe('former');
  copyFileSync(next.key, files.key);
  clock.advance(MINUTE);
  expect(await shownName(port, authority)).toBe('next');
});

test('a new authority of clients ends the connections of those of the former one, calls under way excepted', async () => {
  const [authority, next] = [await createAuthority(), await createAuthority()];
  const clock = manualClock();
  const clientCa = clientsOf(authority);
  const held: (() => void)[] = [];
  const { url, port } = await serveTls(
    await authority.issue('server'),
    { clock, clientCa },
    ({ url: path }, response) => {
      if (path === '/held') held.push(() => void response.end('finished'));
      else response.end('done');
    },
  );
  const server = trust(authority);
  const former = { ...server, ...show(await authority.issue('client')) };
  const sessions: Buffer[] = [];
  const rests = await openTls(port, former, (session) => sessions.push(session));
  const calls = await openTls(port, former);
  rests.socket.write(GET);
  await rests.until(/done/);
  calls.socket.write(requestText('GET /held'));
  while (held.length === 0) await new Promise(setImmediate);
  copyFileSync(next.ca, clientCa.path);
  clock.advance(MINUTE);
  await rests.closed;
  held[0]?.();
  expect(await calls.closed).toMatch(/Connection: close.*finished/s);
  expect(await failureOf(url, former)).not.toBe('answered');
  // Nor by taking up a session that was opened when it still counted.
  expect(sessions.length).toBeGreaterThan(0);
  for (const session of sessions) expect(await failureOf(url, { ...former, session })).not.toBe('answered');
  expect(await ask(url, { ...server, ...show(await next.issue('client')) })).toMatchObject({ status: 200 });
});

test('a certificate that runs out within 30 days is warned of at the start and every day, in other words when it has', async () => {
  const authority = await createAuthority();
  const clock = manualClock();
  const to = clock.now() + 30 * DAY;
  const { logged } = await serveTls(await authority.issue('server', { to }), { clock });
  expect(logged).toEqual([]);
  clock.advance(DAY);
  expect(logged).toMatchObject([{ level: 40, msg: 'the TLS certificate runs out soon: please renew it' }]);
  expect(logged[0]).toMatchObject({ validTo: new Date(to).toISOString() });
  clock.advance(28 * DAY);
  expect(logged).toHaveLength(29);
  clock.advance(DAY);
  expect(logged[29]).toMatchObject({ msg: 'the TLS certificate has expired: please renew it' });
});

test('a warning of expiry ends with the renewal', async () => {
  const authority = await createAuthority();
  const clock = manualClock();
  const files = await authority.issue('server', { to: clock.now() + DAY * 20 });
  const { logged } = await serveTls(files, { clock });
  expect(logged).toMatchObject([{ level: 40 }]);
  replaceFiles(files, await authority.issue('server'));
  clock.advance(3 * DAY);
  expect(logged.map(({ level }) => level)).toEqual([40, 30]);
});

test('files are not watched any longer after a stop, nor after a start that failed', async () => {
  const authority = await createAuthority();
  const files = await authority.issue('server');
  const { base, timers } = recordingClock();
  base.time = manualClock().now();
  const { port, stop } = await serveTls(files, { clock: base });
  expect(timers.length).toBeGreaterThan(0);
  await stop();
  expect(timers).toEqual([]);
  const other = await serveTls(files, { clock: base });
  const watching = timers.length;
  await expect(serveTls(files, { clock: base, port: other.port })).rejects.toThrow('another program uses this port');
  expect(timers).toHaveLength(watching);
  expect(port).toBeGreaterThan(0);
});

test('a file that is gone leaves the former certificate in use', async () => {
  const authority = await createAuthority();
  const clock = manualClock();
  const files = await authority.issue('former');
  const { port, logged } = await serveTls(files, { clock });
  writeFileSync(files.cert, '');
  clock.advance(MINUTE);
  expect(logged).toMatchObject([{ level: 40, detail: expect.stringContaining('holds no certificate in PEM format') }]);
  expect(await shownName(port, authority)).toBe('former');
});
