import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { systemClock } from '#protocol/time/clock.ts';
import { serve } from '#service/http/testing.ts';
import { type CertificateFiles, createAuthority } from '#service/tls/testing-certificates.ts';
import { serveTls } from '#service/tls/testing-tls.ts';
import type { Diagnosis } from './engine/party/diagnosis.ts';
import { loadAdapter } from './roles/auth-server/adapter/file/load.ts';
import { examine } from './roles/auth-server/doctor/doctor.ts';
import { example, inDirectory, readReport, runCli } from './testing/cli.ts';
import { openTestRun } from './testing/open-test-run.ts';
import { writePlainFile } from './testing/plain-file.ts';

/** The doctor's first finding about the server at `url`. */
async function diagnosed(url: string): Promise<Diagnosis | undefined> {
  return inDirectory(async (directory) => {
    const file = writePlainFile(directory, (adapter) => {
      adapter.server = { url };
      adapter.ports = {};
    });
    const run = await openTestRun(await loadAdapter(file, {}));
    const parts = { ...run, clock: systemClock, ehrConfiguredIn: undefined, onDiagnosis: () => undefined };
    const diagnoses = await examine(parts);
    await run.close();
    return diagnoses.at(-1);
  });
}

test('the doctor names a certificate that is not accepted, and a scheme that does not fit the server', async () => {
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

test('a server that speaks TLS can be judged when its authority is named, through the proxy too', {
  timeout: 60_000,
}, async () => {
  const authority = await createAuthority();
  const { cert, key } = await authority.issue('server');
  vi.stubEnv('NODE_EXTRA_CA_CERTS', authority.ca);
  await inDirectory(async (directory) => {
    const adapter = parse(readFileSync(example('mock.yaml'), 'utf8'));
    const { server } = adapter;
    server.url = server.url.replace('http:', 'https:');
    server.start.cwd = fileURLToPath(new URL('..', import.meta.url));
    Object.assign(server.start.env, { AUTH_TLS_CERT: cert, AUTH_TLS_KEY: key });
    const config = join(directory, 'adapter.json');
    writeFileSync(config, JSON.stringify(adapter));
    const { code, output } = await runCli('doctor', '--config', config);
    expect(output).toMatch(/The server under test answers: https:.*The set-up is in order/s);
    expect(code).toBe(0);
  });
});

const shape = (name: string) => fileURLToPath(new URL(`roles/auth-server/shapes/${name}`, import.meta.url));

/** The file of a foreign server whose EHR side is https; `env` is added to the server's environment. */
function securedFile(directory: string, tls: TlsFiles, env: Record<string, string>, command?: string[]): string {
  const adapter = parse(readFileSync(shape('carried-sign.yaml'), 'utf8'));
  const { start } = adapter.server;
  Object.assign(start, { cwd: shape(''), ...(command && { command }) });
  Object.assign(start.env, env);
  adapter.ehr.tls = tls;
  const file = join(directory, 'adapter.json');
  writeFileSync(file, JSON.stringify(adapter));
  return file;
}

type TlsFiles = CertificateFiles & { clientCa?: string; otherName?: CertificateFiles };

test('the doctor names a certificate of the EHR side that the server does not accept, and an address without https', {
  timeout: 60_000,
}, async () => {
  const tls = await (await createAuthority()).issue('ehr');
  await inDirectory(async (directory) => {
    const { code, output } = await runCli('doctor', '--config', securedFile(directory, tls, {}));
    expect(output).toMatch(/but it did not accept the certificate of ehr\.tls\.cert .*NODE_EXTRA_CA_CERTS=/s);
    expect(code).toBe(2);
  });
  await inDirectory(async (directory) => {
    const program = shape('carried-sign.mjs');
    const code = `process.env.EHR_URL = process.env.EHR_URL.replace('https', 'http'); process.argv[1] = ${JSON.stringify(program)}; import('./carried-sign.mjs');`;
    const file = securedFile(directory, tls, {}, [process.execPath, '-e', code]);
    const { code: exitCode, output } = await runCli('doctor', '--config', file);
    expect(output).toMatch(/but it spoke plain HTTP, where the kit listens with https .*Write https:\/\//s);
    expect(exitCode).toBe(2);
  });
});

test('the doctor names a client certificate that is missing, and one of another authority', {
  timeout: 60_000,
}, async () => {
  const [authority, other] = [await createAuthority(), await createAuthority()];
  const tls = { ...(await authority.issue('ehr')), clientCa: authority.ca };
  const diagnosed = (env: Record<string, string>) =>
    inDirectory(async (directory) => {
      const adapter = parse(readFileSync(example('mock.yaml'), 'utf8'));
      adapter.server.start.cwd = fileURLToPath(new URL('..', import.meta.url));
      Object.assign(adapter.server.start.env, { AUTH_EHR_CA: authority.ca, ...env });
      adapter.ehr.tls = tls;
      const config = join(directory, 'adapter.json');
      writeFileSync(config, JSON.stringify(adapter));
      return runCli('doctor', '--config', config);
    });
  const withClient = ({ cert, key }: CertificateFiles) => ({ AUTH_EHR_CLIENT_CERT: cert, AUTH_EHR_CLIENT_KEY: key });
  const missing = await diagnosed({});
  expect(missing.output).toContain('but it showed no client certificate, which ehr.tls.clientCa asks for');
  expect(missing.code).toBe(2);
  const foreign = await diagnosed(withClient(await other.issue('client')));
  expect(foreign.output).toContain('but it showed a client certificate that none of the authorities');
  expect(foreign.code).toBe(2);
  const right = await diagnosed(withClient(await authority.issue('client')));
  expect(right.output).toContain('The set-up is in order');
  expect(right.code).toBe(0);
});

test('a certificate file of the adapter file that is missing is named with its key', { timeout: 60_000 }, async () => {
  await inDirectory(async (directory) => {
    const { code, output } = await runCli(
      'doctor',
      '--config',
      securedFile(directory, { cert: 'missing.pem', key: 'missing-key.pem' }, {}),
    );
    expect(output).toContain(`The file ${join(directory, 'missing.pem')} of ehr.tls.cert cannot be read`);
    expect(code).toBe(2);
  });
});

test('a server that verifies no certificates is found from the command line, and one that does passes', {
  timeout: 120_000,
}, async () => {
  const authority = await createAuthority();
  const tls = {
    ...(await authority.issue('ehr')),
    otherName: await authority.issue('other', { dnsNames: ['elsewhere.example'], addresses: [] }),
  };
  const judged = (env: Record<string, string>) =>
    inDirectory(async (directory) => {
      const reports = join(directory, 'reports');
      const config = securedFile(directory, tls, env);
      const { code, output } = await runCli(
        ...['auth-server', '--config', config, '--report', reports],
        ...['--only', 'foreign-certificate-refused,other-name-refused'],
      );
      const outcomes = readReport(reports).verdicts.map(({ check, outcome }) => `${check}: ${outcome}`);
      return { code, output, outcomes };
    });
  expect(await judged({ NODE_EXTRA_CA_CERTS: authority.ca })).toMatchObject({
    code: 0,
    outcomes: ['foreign-certificate-refused: pass', 'other-name-refused: pass'],
  });
  expect(await judged({ NODE_TLS_REJECT_UNAUTHORIZED: '0' })).toMatchObject({
    code: 1,
    output: expect.stringContaining('Switch the verification of certificates on'),
    outcomes: ['foreign-certificate-refused: fail', 'other-name-refused: fail'],
  });
});
