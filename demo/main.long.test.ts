import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { authMethods } from '#protocol/methods/auth-methods.ts';
import { buildAll } from '#scripts/build/built-program.mjs';
import { root } from '#scripts/set-up/set-up.mjs';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { callerOf, resultOf } from '#testing/wire.ts';
import { clockOf } from './commands/clocks.ts';
import { DEMO_TIMEOUT_MS, flagsOf, portsOfDemo, startDemo } from './testing/start-demo.ts';

beforeAll(() => buildAll(root), DEMO_TIMEOUT_MS);

test('a moved clock stays ahead after a restart', { timeout: DEMO_TIMEOUT_MS }, async () => {
  const ports = await portsOfDemo();
  const data = temporaryFolder();
  const flags = ['--data', data, '--no-console', ...flagsOf(ports)];
  const auth = callerOf<typeof authMethods>(`http://127.0.0.1:${ports.auth}/`);
  const requestCode = async () => resultOf(await auth('auth.request_otp', { phone: '79990000001' }));
  const servers = [ports['ehr-control'], ports['auth-control']].map((port) => ({ title: 'a server', port }));

  const first = startDemo(flags);
  await first.says(/Ready:/);
  expect(first.text()).not.toMatch(/The clock is|Console/);
  expect(first.text()).toContain(`Authorization server ready at http://127.0.0.1:${ports.auth}/`);
  await expect(fetch(`http://127.0.0.1:${ports.console}/`)).rejects.toThrow();
  for (const server of servers) await clockOf(server, { advance: 86_400_000 });
  await requestCode();
  while (!existsSync(join(data, 'clock-offsets.json'))) await clockOf(servers[0] as (typeof servers)[0]);
  expect(await first.stop()).toBe(0);

  const second = startDemo(flags);
  await second.says(/Ready:/);
  expect(second.text()).toContain('The clock is 1d ahead');
  for (const server of servers) await clockOf(server, { advance: 30_000 });
  await requestCode();
  expect(await second.stop()).toBe(0);
});
