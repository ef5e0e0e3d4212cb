import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { isRunning } from '#service/process/signals.ts';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import type { PartyName } from '../prepare/prepare.ts';
import type { DemoParty } from './parties.ts';
import { supervise } from './supervise.ts';

let directory: string;
let output: string;

beforeEach(() => {
  directory = temporaryFolder();
  output = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    output += String(text);
    return true;
  });
});

/** Creates a party that runs this code and first prints its process id. */
function party(
  name: PartyName,
  code = 'process.stdin.resume(); process.on("SIGTERM", () => process.exit(0));',
): DemoParty {
  const file = join(directory, `${name}.mjs`);
  writeFileSync(
    file,
    `${code}\nconst alive = setInterval(() => {}, 1000);\nconsole.log('pid', process.pid);\n`,
  );
  return { name, title: `the ${name} party`, file, env: {}, readyUrls: [] };
}
const pidOf = (name: PartyName) => Number(new RegExp(`\\[${name} *\\] pid (\\d+)`).exec(output)?.[1]);
const allRun = (...names: PartyName[]) =>
  vi.waitUntil(() => names.every((name) => pidOf(name) > 0), { timeout: 100_000 });

test('asked to stop, every party stops; each line said whose it is, readably', async () => {
  const line = { level: 30, time: 0, party: 'auth-server', method: 'auth.logout', msg: 'call answered' };
  const running = supervise([
    party('ehr'),
    party('auth', `console.error(${JSON.stringify(JSON.stringify(line))});`),
  ]);
  await allRun('ehr', 'auth');
  const pids = [pidOf('ehr'), pidOf('auth')];
  expect(pids.map(isRunning)).toEqual([true, true]);
  await vi.waitUntil(() => output.includes('call answered'), { timeout: 100_000 });
  running.stop();
  expect(await running.ended).toEqual({ died: undefined });
  expect(pids.map(isRunning)).toEqual([false, false]);
  // The names are of one width.
  expect(output).toMatch(/^\[ehr \] pid \d+$/m);
  const shown = output.split('\n').find((text) => text.includes('call answered')) ?? '';
  expect(shown).toMatch(/^\[auth\] \[\d\d:\d\d:\d\d\] INFO: call answered \{"method":"auth.logout"\}$/);
});

test('when one party is killed the others are stopped, and it is named', async () => {
  const running = supervise([party('ehr'), party('auth'), party('client')]);
  await allRun('ehr', 'auth', 'client');
  const pids = [pidOf('ehr'), pidOf('auth'), pidOf('client')];
  process.kill(pidOf('auth'), 'SIGKILL');
  expect(await running.ended).toMatchObject({ died: { name: 'auth' }, how: 'was killed by SIGKILL' });
  expect(pids.map(isRunning)).toEqual([false, false, false]);
});

test('a party that ends with code 0 has died as well', async () => {
  const running = supervise([party('ehr'), party('client', 'setTimeout(() => process.exit(0), 300);')]);
  expect(await running.ended).toMatchObject({ died: { name: 'client' }, how: 'ended with code 0' });
  expect(isRunning(pidOf('ehr')) && pidOf('ehr') > 0).toBe(false);
});
