import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '#protocol/time/clock.ts';
import { serve } from '#service/http/testing.ts';
import {
  type Authority,
  type CertificateFiles,
  createAuthority,
  failureOf,
  serveTls,
} from '#service/tls/testing-tls.ts';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { openRecorder } from './engine/journal/testing/exchanges.ts';
import type { Report } from './engine/report/schema/schema.ts';
import { startProxy } from './engine/wire/proxy.ts';
import type { HandshakeTrouble } from './engine/wire/tls-side.ts';
import { readTlsFiles } from './roles/auth-server/adapter/file/load.ts';
import { judgeExchange } from './roles/auth-server/doctor/diagnoses.ts';
import { judged, readExample, readReport, startCli, until, writeParty } from './testing/cli.ts';
import { diagnosesOf, runningAt } from './testing/plain-server.ts';

/** The doctor's last finding about the server at `url`. */
const diagnosed = async (url: string) => (await diagnosesOf(runningAt(url))).at(-1);

test('the doctor names a refused certificate, and a scheme that does not fit', async () => {
  const secured = await serveTls(await (await createAuthority()).issue('server'));
  expect(await diagnosed(secured.url)).toMatchObject({
    found: 'the TLS certificate is not accepted (UNABLE_TO_VERIFY_LEAF_SIGNATURE)',
    remedy: expect.stringContaining('NODE_EXTRA_CA_CERTS=/path/to/ca.pem'),
  });
  expect(await diagnosed(secured.url.replace('https:', 'http:'))).toMatchObject({
    found: expect.stringContaining('closes the connection without an answer'),
    remedy: expect.stringContaining('Write https:// in server.url'),
  });
  const plain = await serve((_request, response) => void response.end());
  expect(await diagnosed(plain.url.replace('http:', 'https:'))).toMatchObject({
    found: `127.0.0.1:${plain.port} does not speak TLS`,
    remedy: expect.stringContaining('Write http:// in server.url'),
  });
});

type TlsFiles = CertificateFiles & { otherName?: CertificateFiles };

/** Callers that cannot connect to the EHR side, by what the doctor says of them. */
const TROUBLES: Readonly<Record<HandshakeTrouble, (url: string, by: Authorities) => Promise<unknown>>> = {
  'plain HTTP': (url) => fetch(url.replace('https:', 'http:')).catch(() => undefined),
  'certificate not accepted': (url) => failureOf(url, {}),
  'no client certificate': (url, { right }) => failureOf(url, { ca: readFileSync(right.ca) }),
  'client certificate not accepted': async (url, { right, other }) => {
    const { cert, key } = await other.issue('client');
    return failureOf(url, { ca: readFileSync(right.ca), cert: readFileSync(cert), key: readFileSync(key) });
  },
  other: (url, { right }) =>
    failureOf(url, { ca: readFileSync(right.ca), maxVersion: 'TLSv1.1', minVersion: 'TLSv1' }),
};

type Authorities = { right: Authority; other: Authority };

const SAID: Readonly<Record<HandshakeTrouble, [found: string, remedy: string]>> = {
  'plain HTTP': ['but it spoke plain HTTP, where the kit listens with https', 'Write https://'],
  'certificate not accepted': [
    'but it did not accept the certificate of ehr.tls.cert',
    'NODE_EXTRA_CA_CERTS=',
  ],
  'no client certificate': [
    'but it showed no client certificate, which ehr.tls.clientCa asks for',
    'leave clientCa out',
  ],
  'client certificate not accepted': [
    'but it showed a client certificate that none of the authorities',
    'clientCa',
  ],
  other: ['but the TLS handshake failed', 'openssl s_client'],
};

test('the doctor names each trouble of TLS on the EHR side', async () => {
  const [right, other] = [await createAuthority(), await createAuthority()];
  const tls = readTlsFiles({ ...(await right.issue('ehr')), clientCa: right.ca }, systemClock.now());
  const recorder = openRecorder();
  const parts = { recorder, clock: systemClock, tls };
  const about = { apiVersion: '', configuredIn: undefined, outcome: 'it failed', isLate: false };
  for (const trouble of Object.keys(TROUBLES) as HandshakeTrouble[]) {
    const proxy = await startProxy({ link: 'auth->ehr', target: 'http://127.0.0.1:9', ...parts });
    onTestFinished(() => proxy.stop());
    await TROUBLES[trouble](proxy.url, { right, other });
    await until(() => proxy.certificates?.trouble() === trouble);
    const [{ found, remedy, ok } = { found: '' }] = judgeExchange([], {
      ...about,
      ehrUrl: proxy.url,
      trouble,
    });
    expect([found, remedy, ok]).toEqual([
      ...SAID[trouble].map((each) => expect.stringContaining(each)),
      false,
    ]);
  }
});

test('a missing certificate file is named with its key', () => {
  expect(() => readTlsFiles({ cert: 'missing.pem', key: 'missing-key.pem' }, 0)).toThrow(
    'The file missing.pem of ehr.tls.cert cannot be read',
  );
});

const JUDGED = ['--only', 'foreign-certificate-refused,other-name-refused'];

/** Writes the adapter file of the mock with `tls` for the EHR side, changed by `change`. Returns its path. */
function writeFile(directory: string, tls: TlsFiles, change: (server: ServerOfFile) => void): string {
  const file = readExample<{ server: ServerOfFile; ehr: object }>('mock.yaml');
  change(file.server);
  return writeParty(directory, { ...file, ehr: { ...file.ehr, tls } });
}

type ServerOfFile = { url: string; start: { env: Record<string, string> } };

const outcomesIn = ({ verdicts }: Pick<Report, 'verdicts'>) =>
  verdicts.map(({ check, outcome }) => `${check}: ${outcome}`);

/** Certificates of the EHR side by a new authority. */
async function ehrCertificates() {
  const authority = await createAuthority();
  const otherName = await authority.issue('other', { dnsNames: ['elsewhere.example'], addresses: [] });
  return { authority, tls: { ...(await authority.issue('ehr')), otherName } };
}

test('a TLS server passes when its authority is named, through the proxy too', {
  timeout: 400_000,
}, async () => {
  const { authority, tls } = await ehrCertificates();
  const { cert, key } = await authority.issue('server');
  vi.stubEnv('NODE_EXTRA_CA_CERTS', authority.ca);
  const directory = temporaryFolder();
  const config = writeFile(directory, tls, (server) => {
    server.url = server.url.replace('http:', 'https:');
    Object.assign(server.start.env, { AUTH_TLS_CERT: cert, AUTH_TLS_KEY: key, AUTH_EHR_CA: authority.ca });
  });
  const reports = join(directory, 'reports');
  // Node reads NODE_EXTRA_CA_CERTS when a process starts.
  const { code, output } = await startCli('auth-server', '--config', config, '--report', reports, ...JUDGED)
    .ended;
  expect(output).toMatch(/The server under test answers: https:/);
  expect(outcomesIn(readReport(reports))).toEqual([
    'foreign-certificate-refused: pass',
    'other-name-refused: pass',
  ]);
  expect(code, output).toBe(0);
});

test('a server that verifies no certificates is found', { timeout: 400_000 }, async () => {
  const { tls } = await ehrCertificates();
  const directory = temporaryFolder();
  const config = writeFile(directory, tls, ({ start }) => {
    start.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
  });
  const report = await judged('auth-server', config, ...JUDGED);
  expect(outcomesIn(report)).toEqual(['foreign-certificate-refused: fail', 'other-name-refused: fail']);
  expect(report.output).toContain('Switch the verification of certificates on');
  expect(report.code).toBe(1);
});

const CERTIFICATES = 'internal-certificate-demanded';

test('an EHR server that demands a client certificate is judged, a lax one told', {
  timeout: 240_000,
}, async () => {
  const authority = await createAuthority();
  const [server, client] = [await authority.issue('server'), await authority.issue('auth-server')];
  vi.stubEnv('NODE_EXTRA_CA_CERTS', authority.ca);
  const directory = temporaryFolder();
  const judgedWith = async (env: Record<string, string>, internalTls: CertificateFiles | undefined) => {
    const file = readExample<{ server: ServerOfFile; internalUrl: string }>('ehr-server.yaml');
    const ownTls = { EHR_INTERNAL_TLS_CERT: server.cert, EHR_INTERNAL_TLS_KEY: server.key };
    Object.assign(file.server.start.env, ownTls, env);
    const internalUrl = file.internalUrl.replace('http:', 'https:');
    const config = writeParty(directory, { ...file, internalUrl, internalTls });
    const options = ['--config', config, '--report', directory, '--only', CERTIFICATES];
    const { code, output } = await startCli('ehr-server', ...options).ended;
    return code === 2 ? output : outcomesIn(readReport(directory)).join();
  };
  const demanding = { EHR_INTERNAL_TLS_CLIENT_CA: authority.ca };
  expect(await judgedWith(demanding, client)).toBe(`${CERTIFICATES}: pass`);
  expect(await judgedWith({}, client)).toBe(`${CERTIFICATES}: fail`);
  expect(await judgedWith(demanding, undefined)).toMatch(
    /it demands a client certificate[\s\S]*Give internalTls/,
  );
});
