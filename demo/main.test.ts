/** The demo as a whole, as a person starts, stops and restarts it. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { ehrMethods } from '#protocol/methods/ehr-methods.ts';
import { digest } from '#protocol/wire/hashes.ts';
import { buildAll } from '#scripts/build/built-program.mjs';
import { root } from '#scripts/set-up/set-up.mjs';
import { runHere } from '#testing/programs/use-program.ts';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { callerOf, reasonOf, resultOf } from '#testing/wire.ts';
import { DEMO_TIMEOUT_MS, flagsOf, portsOfDemo, startDemo } from './testing/start-demo.ts';

beforeAll(() => buildAll(root), DEMO_TIMEOUT_MS);

const FAULT = 'demo/commands/fault.ts';

/** Runs `npm run fault` in this process. */
const fault = (data: string, ...words: string[]) => runHere(FAULT, ['--data', data, ...words]);

test('a demo has its own console, secrets and data, which no second one gets', {
  timeout: DEMO_TIMEOUT_MS,
}, async () => {
  const ports = await portsOfDemo();
  const data = temporaryFolder();
  const env = { EHR_INTERNAL_USER: 'my-server', EHR_INTERNAL_PASSWORD: 'my-pässword' };
  const demo = startDemo(['--data', data, ...flagsOf(ports)], env);
  await demo.says(/Ready:/);

  const internal = callerOf<typeof ehrMethods>(`http://127.0.0.1:${ports['ehr-internal']}/1.0-alpha/`);
  const saved = { exchangeToken: 'exchange-token-1', authInfo: { user: 'u', token: 't', ttl: 5 } };
  const cred = { user: env.EHR_INTERNAL_USER, token: digest(env.EHR_INTERNAL_PASSWORD, saved.exchangeToken) };
  resultOf(await internal('embedded_storage.save_exchange_token', saved, cred));
  expect(demo.text()).not.toContain(env.EHR_INTERNAL_PASSWORD);
  const files = readdirSync(data);
  expect(files).not.toContain('secrets.json');

  const second = startDemo(['--data', data, '--fresh', ...flagsOf(await portsOfDemo())]);
  expect((await second.ended).code).toBe(2);
  expect(second.text()).toContain(`Another demo uses the data in ${data}.`);
  expect(second.text()).toMatch(/npm run demo -- .*--data \S+-2 --ehr-port \d+ .*--console-port \d+$/m);
  expect(readdirSync(data)).toEqual(files);

  const file = join(data, 'console.json');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const { address } = JSON.parse(readFileSync(file, 'utf8')) as { address: string };
  expect(demo.text()).toContain(address);
  const { origin, search } = new URL(address);
  expect(origin).toBe(`http://127.0.0.1:${ports.console}`);
  expect((await fetch(`${origin}/api/overview`)).status).toBe(401);
  expect(await (await fetch(address)).text()).toContain('<script type="module"');

  const refusal = ['--wire', 'client->ehr', '--reason', 'patient_not_matched'];
  const armed = await fault(data, 'arm', 'refuse', ...refusal);
  expect(armed.out).toContain('refuse patient_not_matched  for 1 more, met 0 times');
  const ehr = callerOf<typeof ehrMethods>(`http://127.0.0.1:${ports.ehr}/1.0-alpha/`);
  expect(reasonOf(await ehr('patient.get_patient', {}))).toBe('patient_not_matched');
  expect((await fault(data, 'list')).out).toBe('No fault is armed.\n');
  expect(await fault(data, 'arm', 'flood', '--wire', 'client->ehr')).toMatchObject({ code: 2 });
  const rows = (await (await fetch(`${origin}/api/messages${search}`)).json()) as { method?: string }[];
  expect(rows.map(({ method }) => method)).toEqual([
    'embedded_storage.save_exchange_token',
    'patient.get_patient',
  ]);

  expect(await demo.stop()).toBe(0);
  expect(existsSync(file)).toBe(false);
  expect(await fault(data, 'off')).toMatchObject({
    code: 1,
    err: expect.stringContaining('No demo runs on'),
  });
});
