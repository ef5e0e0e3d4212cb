import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { systemClock } from '#protocol/clock.ts';
import { serve } from '#service/testing.ts';
import { createAuthority } from '#service/testing-certificates.ts';
import { serveTls } from '#service/testing-tls.ts';
import { loadAdapter } from './adapter/load.ts';
import { type Diagnosis, examine } from './doctor/doctor.ts';
import { openSession } from './session.ts';
import { example, inDirectory, runCli } from './testing/cli.ts';
import { writePlainFile } from './testing/plain-file.ts';

/** What the doctor says of whatever listens at `url`. */
async function diagnosed(url: string): Promise<Diagnosis | undefined> {
  return inDirectory(async (directory) => {
    const file = writePlainFile(directory, (adapter) => {
      adapter.server = { url };
      adapter.ports = {};
    });
    const session = await openSession({
      loaded: await loadAdapter(file, {}),
      clock: systemClock,
      seed: 1,
      env: {},
      signal: new AbortController().signal,
      tell: () => undefined,
      ask: async () => undefined,
    });
    const ground = { ...session, clock: systemClock, ehrConfiguredIn: undefined, onDiagnosis: () => undefined };
    const diagnoses = await examine(ground);
    await session.close();
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

test('a server that speaks TLS can be judged when its authority is named, through the tap too', {
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
