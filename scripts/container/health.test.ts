import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createAuthority } from '#service/tls/testing-certificates.ts';
import { testEnvironment } from '#testing/fixtures.ts';
import { runProgram, useProgram } from '#testing/programs/use-program.ts';
import { root } from '../set-up/set-up.mjs';
import { configOf, readStages } from './dockerfile.ts';

const stages = readStages(readFileSync(join(root, 'Dockerfile'), 'utf8'));

/** Runs the health check of an image. Returns its exit code. */
async function healthOf(image: string, env: Record<string, string>): Promise<number | null> {
  const { env: ofImage, healthcheck = [] } = configOf(stages, image);
  const [command, ...args] = healthcheck;
  expect(command).toBe('node');
  return (await runProgram(args, { env: { ...ofImage, PATH: process.env.PATH, ...env } })).code;
}

for (const scheme of ['http', 'https'] as const)
  test(`the EHR server is healthy over ${scheme} until it has stopped`, async () => {
    const { cert, key } = await (await createAuthority()).issue('localhost');
    const env = scheme === 'https' ? { EHR_TLS_CERT: cert, EHR_TLS_KEY: key } : {};
    const server = useProgram(['scripts/run.mjs', 'ehr-server/main.ts'], {
      cwd: root,
      env: { ...testEnvironment, ...env },
    });
    const [, port = ''] = await server.says(new RegExp(`ready at ${scheme}://127\\.0\\.0\\.1:(\\d+)/`));
    const health = () => healthOf('ehr-server', { ...env, EHR_PORT: port });
    expect(await health()).toBe(0);
    expect((await server.stop()).code).toBe(0);
    expect(await health()).toBe(1);
  });

test('the demo is healthy while the page answers by which it knows its console', async () => {
  const asked: string[] = [];
  let status = 200;
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  expect(await healthOf('demo', { CONSOLE_PORT: String(port) })).toBe(0);
  status = 503;
  expect(await healthOf('demo', { CONSOLE_PORT: String(port) })).toBe(1);
  expect(asked).toEqual(['/watching', '/watching']);
});
