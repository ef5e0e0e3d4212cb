import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type MovableClock, manualClock } from '#protocol/time/clock.ts';
import { root } from '#scripts/set-up/set-up.mjs';
import { openControl } from '#service/http/control.ts';
import { runHere, runProgram } from '#testing/programs/use-program.ts';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { CONSOLE_FILE, writeDemoFile } from './running-demo.ts';

async function controlPort(clock: MovableClock): Promise<string> {
  const control = await openControl(clock, 0, '--control-port');
  onTestFinished(() => control.stop());
  return String(control.port);
}

const PROGRAM = 'demo/commands/clock.ts';
const inEnvironment = ([ehr, auth]: [string, string]) => ({ EHR_CONTROL_PORT: ehr, AUTH_CONTROL_PORT: auth });

/** Runs the command in this process, with its control ports in the environment. */
const clock = (ports: [string, string], ...args: string[]) => runHere(PROGRAM, args, inEnvironment(ports));

/** Runs it as a person does. */
async function clockApart(ports: [string, string], ...args: string[]) {
  const command = ['scripts/run.mjs', PROGRAM, ...args];
  const { code, out, err } = await runProgram(command, { cwd: root, env: inEnvironment(ports) });
  return { code, out, err };
}

test('both clocks are shown, and moved by the same time', async () => {
  const [ehr, auth] = [manualClock(Date.UTC(2026, 0, 15, 9)), manualClock(Date.UTC(2026, 0, 15, 10))];
  const ports: [string, string] = [await controlPort(ehr), await controlPort(auth)];
  const shown =
    '2026-01-15T09:00:00.000Z  the EHR server\n2026-01-15T10:00:00.000Z  the authorization server\n';
  expect(await clockApart(ports, 'show')).toEqual({ code: 0, out: shown, err: '' });
  const moved = await clock(ports, 'advance', '9m59.999s');
  expect(moved).toEqual({ code: 0, out: shown.replaceAll('00:00.000', '09:59.999'), err: '' });
  expect([ehr.now(), auth.now()]).toEqual([
    Date.UTC(2026, 0, 15, 9, 9, 59, 999),
    Date.UTC(2026, 0, 15, 10, 9, 59, 999),
  ]);
});

test('neither clock is moved when one server is down, and the remedy is named', async () => {
  const ehr = manualClock();
  const before = ehr.now();
  const gone = await openControl(manualClock(), 0, '--control-port');
  await gone.stop();
  const { code, out, err } = await clock([await controlPort(ehr), String(gone.port)], 'advance', '10m');
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toContain(
    `Failed to reach the clock of the authorization server at http://127.0.0.1:${gone.port}/clock.`,
  );
  expect(err).toContain('npm run demo');
  expect(ehr.now()).toBe(before);
});

test('what is no duration is refused before anything is asked', async () => {
  const { code, err } = await clock(['1', '1'], 'advance', 'soon');
  expect(code).toBe(2);
  expect(err).toBe(
    '"soon" is no duration. Please write one such as 10m, 9m59.999s or 1d12h.\nSee "npm run clock -- --help" for the options.\n',
  );
});

test('the servers of a running demo are found without their ports', async () => {
  const [ehr, auth] = [manualClock(Date.UTC(2026, 0, 15, 9)), manualClock(Date.UTC(2026, 0, 15, 10))];
  const data = temporaryFolder();
  const control = { ehr: Number(await controlPort(ehr)), auth: Number(await controlPort(auth)) };
  writeDemoFile(join(data, CONSOLE_FILE), { control });
  const { code, out, err } = await clock(['', ''], '--data', data, 'advance', '10m');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toBe(
    '2026-01-15T09:10:00.000Z  the EHR server\n2026-01-15T10:10:00.000Z  the authorization server\n',
  );
});
