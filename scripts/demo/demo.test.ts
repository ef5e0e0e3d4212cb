/** The demo as a whole, as a person starts, stops and restarts it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { authMethods } from '#protocol/methods/auth-methods.ts';
import type { ehrMethods } from '#protocol/methods/ehr-methods.ts';
import { digest } from '#protocol/wire/digest.ts';
import { callerOf, resultOf } from '#testing/wire.ts';
import { buildAll } from '../build/built-program.mjs';
import { clockOf } from '../server-clock.ts';
import { root } from '../set-up.mjs';

const DEMO_TIMEOUT_MS = 120_000;
const FLAGS = ['ehr', 'ehr-control', 'ehr-internal', 'auth', 'auth-control', 'client'] as const;
type Ports = Readonly<Record<(typeof FLAGS)[number], number>>;

let folder: string;

beforeAll(async () => {
  await buildAll(root);
  folder = mkdtempSync(join(tmpdir(), 'demo-'));
}, DEMO_TIMEOUT_MS);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns ports that were free a moment ago. */
async function freePorts(): Promise<Ports> {
  const servers = await Promise.all(
    FLAGS.map(async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      return server;
    }),
  );
  const port = (server: Server) => (server.address() as AddressInfo).port;
  const ports = Object.fromEntries(FLAGS.map((flag, index) => [flag, port(servers[index] as Server)]));
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports as Ports;
}

const flagsOf = (ports: Ports) => FLAGS.flatMap((flag) => [`--${flag}-port`, String(ports[flag])]);

type Demo = { ended: Promise<number>; text(): string; until(text: string): Promise<void>; stop(): Promise<number> };

function startDemo(flags: readonly string[], env: Record<string, string> = {}): Demo {
  const child: ChildProcess = spawn(
    process.execPath,
    ['scripts/demo.mjs', '--patients', '0', '--log-level', 'error', ...flags],
    {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  onTestFinished(() => void child.kill('SIGTERM'));
  let text = '';
  let heard: () => void = () => undefined;
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      heard();
    });
  }
  const ended = once(child, 'close').then(([code]) => {
    heard();
    return code as number;
  });
  return {
    ended,
    text: () => text,
    async until(expected) {
      while (!text.includes(expected)) {
        if (child.exitCode !== null) throw new Error(`The demo ended: ${text}`);
        await new Promise<void>((resolve) => {
          heard = resolve;
        });
      }
    },
    stop() {
      child.kill('SIGINT');
      return ended;
    },
  };
}

test(
  'a clock that was moved stays ahead after a restart, which says so and locks nobody out; starting over sets it right',
  async () => {
    const ports = await freePorts();
    const flags = ['--data', join(folder, 'moved'), ...flagsOf(ports)];
    const auth = callerOf<typeof authMethods>(`http://127.0.0.1:${ports.auth}/`);
    const requestCode = async () => resultOf(await auth('auth.request_otp', { phone: '79990000001' }));
    const servers = [ports['ehr-control'], ports['auth-control']].map((port) => ({ title: 'a server', port }));

    const first = startDemo(flags);
    await first.until('Ready:');
    expect(first.text()).not.toContain('The clock is');
    for (const server of servers) await clockOf(server, { advance: 86_400_000 });
    await requestCode();
    const file = join(folder, 'moved', 'clock-offsets.json');
    while (!existsSync(file)) await clockOf(servers[0] as (typeof servers)[0]);
    expect(await first.stop()).toBe(0);

    const second = startDemo(flags);
    await second.until('Ready:');
    expect(second.text()).toContain('The clock is 1d ahead');
    for (const server of servers) await clockOf(server, { advance: 30_000 });
    await requestCode();
    expect(await second.stop()).toBe(0);

    const third = startDemo([...flags, '--fresh']);
    await third.until('Ready:');
    expect(third.text()).not.toContain('The clock is');
    await requestCode();
    expect(await third.stop()).toBe(0);
  },
  DEMO_TIMEOUT_MS,
);

test(
  'a second demo on the same data is refused with flags that work, with --fresh too, and nothing is deleted',
  async () => {
    const data = join(folder, 'shared');
    const first = startDemo(['--data', data, ...flagsOf(await freePorts())]);
    await first.until('Ready:');
    const files = readdirSync(data);
    for (const fresh of [[], ['--fresh']]) {
      const second = startDemo(['--data', data, ...flagsOf(await freePorts()), ...fresh]);
      expect(await second.ended).toBe(2);
      expect(second.text()).toContain(`Another demo uses the data in ${data}.`);
      expect(second.text()).toMatch(/npm run demo -- .*--data \S+\/shared-2 --ehr-port \d+ .*--client-port \d+$/m);
      expect(readdirSync(data)).toEqual(files);
    }
    expect(await first.stop()).toBe(0);
  },
  DEMO_TIMEOUT_MS,
);

test(
  'the internal user and password of the environment are used',
  async () => {
    const ports = await freePorts();
    const data = join(folder, 'secrets');
    const env = { EHR_INTERNAL_USER: 'my-server', EHR_INTERNAL_PASSWORD: 'my-pässword' };
    const demo = startDemo(['--data', data, ...flagsOf(ports)], env);
    await demo.until('Ready:');
    const internal = callerOf<typeof ehrMethods>(`http://127.0.0.1:${ports['ehr-internal']}/1.0-alpha/`);
    const authInfo = { user: 'u', token: 't', ttl: 5 };
    const cred = { user: env.EHR_INTERNAL_USER, token: digest(env.EHR_INTERNAL_PASSWORD, 'exchange-token-1') };
    resultOf(
      await internal('embedded_storage.save_exchange_token', { exchangeToken: 'exchange-token-1', authInfo }, cred),
    );
    expect(demo.text()).not.toContain(env.EHR_INTERNAL_PASSWORD);
    expect(readdirSync(data)).not.toContain('secrets.json');
    expect(await demo.stop()).toBe(0);
  },
  DEMO_TIMEOUT_MS,
);

test('--data that names a file is refused before anything starts', async () => {
  const file = join(folder, 'a-file');
  writeFileSync(file, '');
  for (const data of [file, join(file, 'below')]) {
    const demo = startDemo(['--data', data]);
    expect(await demo.ended).toBe(2);
    expect(demo.text()).toContain('--data (environment variable DEMO_DATA) must name a directory');
  }
});
