import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '#protocol/time/clock.ts';
import { startCommandDriver } from './command-driver.ts';

/** Starts a script of the shell, which is killed with the test. */
async function start(source: string, program = '/bin/sh') {
  const driver = await startCommandDriver({
    client: { command: [program, '-c', source], env: {} },
    timeouts: { actionMs: 1_500, leaveMs: 500 },
    ...{ authUrl: 'http://auth.invalid', ehrUrl: 'http://ehr.invalid', storage: 'none' },
    clock: systemClock,
    env: process.env,
    mask: (text) => text,
  });
  onTestFinished(() => driver.kill());
  return driver;
}

/** A script that answers each line by this one. */
const says = (line: string) => `while read -r action; do printf '%s\\n' '${line}'; done`;

test('an answer is one line that the program writes in the kit’s directory', async () => {
  const driver = await start(says(`{"sees":"form","text":"'"$PWD"'"}`));
  expect(await driver.act({ do: 'readPatient' })).toEqual({ sees: 'form', text: process.cwd() });
  await driver.leave();
  await expect(driver.act({ do: 'readPatient' })).rejects.toMatchObject({ what: 'ended' });
});

test('a program that does not start is told', async () => {
  await expect(start('', '/nowhere/no-program')).rejects.toMatchObject({
    what: 'unreachable',
    message: expect.stringContaining('/nowhere/no-program does not start'),
  });
});

test.each([
  ["echo 'no storage' >&2; exit 3", 'ended', /ended with code 3.*no storage/],
  [says('ready'), 'unexpected-answer', /not one line of JSON: "ready"/],
  [says('\ufeff{"sees":"code","text":""}'), 'unexpected-answer', /it begins with a byte order mark/],
  [says('{"sees":"home","text":""}'), 'unexpected-answer', /one of code, form, patient/],
  ['exec sleep 60', 'timeout', /^no answer to logout within 1500 ms$/],
])('the program %s fails as %s', async (source, what, words) => {
  const driver = await start(source);
  const message = expect.stringMatching(words);
  await expect(driver.act({ do: 'logout' })).rejects.toMatchObject({ what, message });
  await driver.leave();
});
