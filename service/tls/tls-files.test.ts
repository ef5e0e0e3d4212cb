import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { generate } from 'selfsigned';
import { expect, test } from 'vitest';
import { thrownBy } from '#testing/thrown.ts';
import { requestText } from '../http/testing.ts';
import { SettingsError } from '../process/command-line/settings.ts';
import {
  type Authority,
  ask,
  type CertificateFiles,
  clientsOf,
  createAuthority,
  failureOf,
  named,
  OLD_TLS,
  openTls,
  replaceFiles,
  serveTls,
  show,
  trust,
} from './testing-tls.ts';
import { loadTls } from './tls-files.ts';

const NOW = Date.UTC(2026, 0, 15);
const pairIn = ({ cert, key }: CertificateFiles) => ({
  cert: named(cert, '--tls-cert (EHR_TLS_CERT)'),
  key: named(key, '--tls-key (EHR_TLS_KEY)'),
});

/** The error message of loading. */
const problem = (files: Parameters<typeof loadTls>[0]) =>
  thrownBy(SettingsError, () => loadTls(files, NOW)).message;

test('a certificate, key and authorities are read, with the expiry', async () => {
  const authority = await createAuthority();
  const files = await authority.issue('server');
  expect(loadTls({ pair: pairIn(files), ca: named(authority.ca, '--ca') }, NOW)).toEqual({
    pem: {
      cert: readFileSync(files.cert, 'utf8'),
      key: readFileSync(files.key, 'utf8'),
      ca: readFileSync(authority.ca, 'utf8'),
    },
    validTo: Date.UTC(2099, 0, 1),
  });
  expect(loadTls({ ca: named(authority.ca, '--ca') }, NOW)).toEqual({
    pem: { ca: readFileSync(authority.ca, 'utf8') },
  });
});

test('the first certificate of a chain is the one that the key belongs to', async () => {
  const authority = await createAuthority();
  const files = await authority.issue('server');
  const [own, above] = [readFileSync(files.cert, 'utf8'), readFileSync(authority.ca, 'utf8')];
  writeFileSync(files.cert, `${own}\n${above}`);
  expect(loadTls({ pair: pairIn(files) }, NOW).validTo).toBe(Date.UTC(2099, 0, 1));
  writeFileSync(files.cert, `${above}\n${own}`);
  expect(problem({ pair: pairIn(files) })).toContain('the one of this server comes first');
});

test('an unreadable file is named with its setting and what to do', async () => {
  const files = await (await createAuthority()).issue('server');
  const absent = `${files.cert}.absent`;
  expect(problem({ pair: pairIn({ ...files, cert: absent }) })).toBe(
    `The file ${absent} of --tls-cert (EHR_TLS_CERT) cannot be read: there is no such file. Please correct the path.`,
  );
  expect(problem({ pair: pairIn({ ...files, key: dirname(files.key) }) })).toContain('it is a directory');
});

test('a file that is no certificate or key is reported without its contents', async () => {
  const files = await (await createAuthority()).issue('server');
  const broken = join(dirname(files.cert), 'broken.pem');
  for (const [member, setting, what] of [
    ['cert', '--tls-cert (EHR_TLS_CERT)', 'certificate'],
    ['key', '--tls-key (EHR_TLS_KEY)', 'private key'],
  ] as const) {
    const label = what.toUpperCase();
    for (const text of ['', 'secret text', `-----BEGIN ${label}-----\nc2VjcmV0\n-----END ${label}-----\n`]) {
      writeFileSync(broken, text);
      const message = problem({ pair: pairIn({ ...files, [member]: broken }) });
      expect(message).toContain(`broken.pem of ${setting} holds no ${what} in PEM format`);
      expect(message).not.toMatch(/secret|c2Vj/);
    }
  }
});

test('an encrypted key is refused with what would do', async () => {
  const files = await (await createAuthority()).issue('server');
  const locked = createPrivateKey(readFileSync(files.key)).export({
    type: 'pkcs8',
    format: 'pem',
    cipher: 'aes-256-cbc',
    passphrase: 'secret',
  });
  writeFileSync(files.key, locked);
  expect(problem({ pair: pairIn(files) })).toContain(
    'is encrypted. Please give the key without a passphrase',
  );
});

test('a key that belongs to another certificate is refused', async () => {
  const authority = await createAuthority();
  const [one, other] = [await authority.issue('one'), await authority.issue('other')];
  expect(problem({ pair: pairIn({ cert: one.cert, key: other.key }) })).toContain(
    `${other.key} of --tls-key (EHR_TLS_KEY) is not the key of the certificate ${one.cert}.`,
  );
});

test('a pair that the platform thinks too weak is refused with its reason', async () => {
  const files = await (await createAuthority()).issue('server');
  const keyPair = generateKeyPairSync('rsa', {
    modulusLength: 512,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const weak = await generate([{ name: 'commonName', value: 'weak' }], {
    keyPair,
    algorithm: 'sha256',
    notBeforeDate: new Date(NOW - 1_000),
    notAfterDate: new Date(NOW + 1_000),
  });
  writeFileSync(files.cert, weak.cert);
  writeFileSync(files.key, weak.private);
  expect(problem({ pair: pairIn(files) })).toMatch(
    /cannot be used: .*key too small\. Please make new ones\.$/,
  );
});

test('a certificate counts from its first day to its last', async () => {
  const authority = await createAuthority();
  const load = async (from: number, to: number) => ({
    pair: pairIn(await authority.issue('server', { from, to })),
  });
  expect(problem(await load(NOW - 10_000, NOW))).toMatch(
    /expired on Jan 15 00:00:00 2026 GMT\. Please renew it\.$/,
  );
  expect(loadTls(await load(NOW, NOW + 1_000), NOW)).toMatchObject({ validTo: NOW + 1_000 });
  expect(problem(await load(NOW + 1_000, NOW + 10_000))).toContain(
    'is valid only from Jan 15 00:00:01 2026 GMT',
  );
});

test('authorities that have all expired are refused, one that has not is enough', async () => {
  const [former, next] = [await createAuthority({ to: NOW - 1_000 }), await createAuthority()];
  expect(problem({ ca: named(former.ca, '--ca') })).toContain('holds no certificate that has not expired');
  writeFileSync(former.ca, readFileSync(former.ca, 'utf8') + readFileSync(next.ca, 'utf8'));
  expect(loadTls({ ca: named(former.ca, '--ca') }, NOW).pem.ca).toContain('CERTIFICATE');
});

const GET = requestText('GET /');

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
  await expect(ask(url, { ...client, ...OLD_TLS })).rejects.toThrow('alert protocol version');
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
