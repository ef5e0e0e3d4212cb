import { copyFileSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { requestText } from '../http/testing.ts';
import {
  type Authority,
  type CertificateFiles,
  createAuthority,
  replaceFiles,
} from './testing-certificates.ts';
import { ask, clientsOf, failureOf, openTls, serveTls } from './testing-tls.ts';

const GET = requestText('GET /');
const trust = ({ ca }: Authority) => ({ ca: readFileSync(ca) });
const show = ({ cert, key }: CertificateFiles) => ({ cert: readFileSync(cert), key: readFileSync(key) });

/** Do what `kill -HUP` does. */
const reload = () => process.emit('SIGHUP');

/** The common name of the certificate that a new connection gets. */
async function shownName(port: number, authority: Authority): Promise<unknown> {
  const { socket } = await openTls(port, trust(authority));
  return socket.getPeerCertificate().subject.CN;
}

test('a certificate that was renewed is shown after SIGHUP, and open connections stay', async () => {
  const authority = await createAuthority();
  const files = await authority.issue('former');
  const { port, logged } = await serveTls(files);
  const open = await openTls(port, trust(authority));
  open.socket.write(GET);
  await open.until(/done/);
  replaceFiles(files, await authority.issue('next'));
  expect(await shownName(port, authority)).toBe('former');
  reload();
  expect(await shownName(port, authority)).toBe('next');
  expect(logged).toMatchObject([{ level: 30, validTo: '2099-01-01T00:00:00.000Z' }]);
  open.socket.write(GET);
  await open.until(/done.*done/s);
  replaceFiles(files, await authority.issue('next but one'));
  reload();
  expect(await shownName(port, authority)).toBe('next but one');
  expect(logged).toHaveLength(2);
});

test('after a renewal TLS 1.1 stays refused and clients without a certificate too', async () => {
  const authority = await createAuthority();
  const files = await authority.issue('former');
  const { url, port } = await serveTls(files, { clientCa: clientsOf(authority) });
  replaceFiles(files, await authority.issue('next'));
  reload();
  expect(await shownName(port, authority)).toBe('next');
  expect(await failureOf(url, trust(authority))).not.toBe('answered');
  const client = { ...trust(authority), ...show(await authority.issue('client')) };
  expect(await ask(url, client)).toMatchObject({ status: 200 });
  const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
  await expect(ask(url, { ...client, ...old })).rejects.toThrow('alert protocol version');
});

test('a half-done renewal changes nothing until its other half is there', async () => {
  const authority = await createAuthority();
  const files = await authority.issue('former');
  const { port, logged } = await serveTls(files);
  const next = await authority.issue('next');
  copyFileSync(next.cert, files.cert);
  reload();
  expect(logged).toMatchObject([
    { level: 40, detail: expect.stringContaining('is not the key of the certificate') },
  ]);
  expect(await shownName(port, authority)).toBe('former');
  copyFileSync(next.key, files.key);
  reload();
  expect(await shownName(port, authority)).toBe('next');
});

test('a new authority ends the former clients’ connections, calls excepted', async () => {
  const [authority, next] = [await createAuthority(), await createAuthority()];
  const clientCa = clientsOf(authority);
  const held: (() => void)[] = [];
  const { url, port } = await serveTls(
    await authority.issue('server'),
    { clientCa },
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
  reload();
  await rests.closed;
  held[0]?.();
  expect(await calls.closed).toMatch(/Connection: close.*finished/s);
  expect(await failureOf(url, former)).not.toBe('answered');
  // Resuming a TLS session from before the renewal fails as well.
  expect(sessions.length).toBeGreaterThan(0);
  for (const session of sessions) expect(await failureOf(url, { ...former, session })).not.toBe('answered');
  expect(await ask(url, { ...server, ...show(await next.issue('client')) })).toMatchObject({ status: 200 });
});

test('files are not read after a stop or a failed start', async () => {
  const authority = await createAuthority();
  const files = await authority.issue('server');
  const listeners = () => process.listenerCount('SIGHUP');
  const before = listeners();
  const { stop } = await serveTls(files);
  expect(listeners()).toBe(before + 1);
  await stop();
  expect(listeners()).toBe(before);
  const other = await serveTls(files);
  await expect(serveTls(files, { port: other.port })).rejects.toThrow('another program uses this port');
  expect(listeners()).toBe(before + 1);
});
