import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '#protocol/time/clock.ts';
import { startCommandDriver } from './command-driver.ts';

/** Starts a program of one line, which is killed with the test. */
async function start(source: string, program = process.execPath) {
  const driver = await startCommandDriver({
    client: { command: [program, '-e', source], env: {} },
    timeouts: { actionMs: 1_500, leaveMs: 500 },
    ...{ authUrl: 'http://auth.invalid', ehrUrl: 'http://ehr.invalid', storage: 'none' },
    clock: systemClock,
    env: process.env,
    mask: (text) => text,
  });
  onTestFinished(() => driver.kill());
  return driver;
}

const answering = (expression: string) => `process.stdin.on('data', () => console.log(${expression}))`;
const says = (line: string) => answering(JSON.stringify(line));

test('an answer is one line that the program writes in the kit’s directory', async () => {
  const driver = await start(answering("JSON.stringify({ sees: 'form', text: process.cwd() })"));
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
  ["console.error('no storage'); process.exitCode = 3", 'ended', /ended with code 3.*no storage/],
  [says('ready'), 'unexpected-answer', /not one line of JSON: "ready"/],
  [says('\ufeff{"sees":"code","text":""}'), 'unexpected-answer', /it begins with a byte order mark/],
  [says('{"sees":"home","text":""}'), 'unexpected-answer', /one of code, form, patient/],
  ['process.stdin.resume(); setInterval(() => 0, 1_000)', 'timeout', /^no answer to logout within 1500 ms$/],
])('the program %s fails as %s', async (source, what, words) => {
  const driver = await start(source);
  const message = expect.stringMatching(words);
  await expect(driver.act({ do: 'logout' })).rejects.toMatchObject({ what, message });
  await driver.leave();
});
