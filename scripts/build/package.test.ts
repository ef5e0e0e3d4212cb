import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { testEnvironment } from '#e2e/fixtures.ts';
import { callerOf, reasonOf } from '#e2e/wire.ts';
import type { authMethods } from '#protocol/auth-methods.ts';
import type { ehrMethods } from '#protocol/ehr-methods.ts';
import { root } from '../set-up.mjs';
import { buildAll } from './built-program.mjs';
import { packed, programDirectory, programs } from './programs.mjs';

/** This package as somebody else has it installed: what is packed, its dependencies, and none of the sources. */
let installed: string;

beforeAll(async () => {
  await buildAll(root);
  installed = mkdtempSync(join(tmpdir(), 'installed-'));
  for (const file of ['package.json', ...packed.filter((path) => !path.startsWith('!'))]) {
    mkdirSync(dirname(join(installed, file)), { recursive: true });
    cpSync(join(root, file), join(installed, file), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(installed, 'node_modules'));
}, 120_000);
afterAll(() => rmSync(installed, { recursive: true, force: true }));

const fileOf = (command: string) => join(installed, programDirectory, `${command}.js`);

type Started = { child: ChildProcess; url: string; complaints(): string };

/** Starts a server and resolves when it says that it is ready. */
async function start(command: string, env: Record<string, string> = {}): Promise<Started> {
  const child = spawn(process.execPath, [fileOf(command)], {
    cwd: installed,
    env: { ...process.env, ...testEnvironment, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints += text;
  });
  for await (const line of createInterface(child.stdout)) {
    const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? [];
    if (url !== undefined) return { child, url, complaints: () => complaints };
  }
  throw new Error(`${command} ended before it was ready: ${complaints}`);
}

async function stop({ child }: Started): Promise<unknown> {
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  return (await exited)[0];
}

const run = (command: string, ...args: string[]) =>
  execFileSync(process.execPath, [fileOf(command), ...args], { cwd: installed, encoding: 'utf8', stdio: 'pipe' });

test('the built EHR server answers calls, then pages, and stops cleanly', async () => {
  const server = await start('ehr-server');
  const call = callerOf<typeof ehrMethods>(`${server.url}/1.0-alpha/`);
  expect(reasonOf(await call('patient.get_patient', {}, { user: 'nobody', token: 'none' }))).toBe('not_authorized');
  // Pages come through express, which is not loaded before.
  const replies = await Promise.all(['/healthz', '/readyz', '/nothing'].map((path) => fetch(server.url + path)));
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 404]);
  expect(await stop(server)).toBe(0);
  expect(server.complaints()).toBe('');
});

test('the built authorization server answers calls and shows the messages', async () => {
  const server = await start('ehr-auth-server', { AUTH_EHR_URL: 'http://127.0.0.1:1' });
  const call = callerOf<typeof authMethods>(`${server.url}/`);
  expect((await call('auth.request_otp', { phone: '79990000001' })).error).toBeUndefined();
  for (const [path, type] of [
    ['/sms', 'text/html'],
    ['/sms/messages.js', 'text/javascript'],
    ['/outbox?to=79990000001', 'application/json'],
  ] as const) {
    const reply = await fetch(server.url + path);
    expect([path, reply.status, reply.headers.get('content-type')]).toEqual([path, 200, expect.stringContaining(type)]);
  }
  expect(await stop(server)).toBe(0);
});

test('the built client serves its page and what the page loads', async () => {
  const server = await start('ehr-client', { CLIENT_PORT: '0', CLIENT_LOG_LEVEL: 'silent' });
  const page = await (await fetch(`${server.url}/`)).text();
  const assets = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
  expect(assets.length).toBeGreaterThanOrEqual(2);
  for (const path of assets) expect([path, (await fetch(server.url + path)).status]).toEqual([path, 200]);
  expect(await stop(server)).toBe(0);
});

test('the built kit and the built fixtures do their work', () => {
  expect(run('ehr-conformance', '--list')).toContain('MUST');
  expect(run('ehr-conformance', 'init', join(installed, 'server.yaml'))).toContain('Wrote');
  expect(readFileSync(join(installed, 'server.yaml'), 'utf8')).toContain('conformance/adapter.schema.json');
  expect(run('ehr-fixtures', '--patients', '10', '--database', join(installed, 'a.sqlite'))).toContain('10 invented');
});

test('a server starts from one file: at the start it imports nothing but Node itself', () => {
  for (const command of ['ehr-server', 'ehr-auth-server', 'ehr-client']) {
    const text = readFileSync(fileOf(command), 'utf8');
    const imported = [...text.matchAll(/(?:^|[;}\n])import\s*(?:[\w*{}\s,$]*?from\s*)?"([^"]+)"/g)].map(
      ([, name]) => name,
    );
    expect(imported).toContain('node:http');
    expect([command, imported.filter((name) => !name?.startsWith('node:'))]).toEqual([command, []]);
    // Packages of one kind of run, and what the zod of this project does not speak.
    expect(text).not.toMatch(/iconv|class Registry|RateLimiterRedis|Entrada inv/);
  }
});

test('package.json names every command, and packs what they need', () => {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    bin: Record<string, string>;
    files: string[];
    scripts: Record<string, string>;
  };
  const commands = Object.keys(programs).map((command) => [command, `${programDirectory}/${command}.js`]);
  expect(manifest.bin).toEqual(Object.fromEntries(commands));
  expect(manifest.files).toEqual(expect.arrayContaining([...packed]));
  expect(manifest.scripts.prepack).toContain('npm run build -- --for-package');
});
