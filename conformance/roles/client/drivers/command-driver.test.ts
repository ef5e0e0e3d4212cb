import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '#protocol/time/clock.ts';
import { startCommandDriver } from './command-driver.ts';
import type { DriverFailure } from './driver.ts';

/** Starts a program of one line, which is killed with the test. */
async function start(source: string, program = process.execPath) {
  const driver = await startCommandDriver({
    settings: {
      client: { command: [program, '-e', source], env: {} },
      timeouts: { actionMs: 1_500, leaveMs: 500 },
    },
    authUrl: 'http://auth.invalid',
    ehrUrl: 'http://ehr.invalid',
    storage: 'none',
    clock: systemClock,
    env: process.env,
    mask: (text) => text,
  });
  onTestFinished(() => driver.kill());
  return driver;
}

/** The failure of the first action. */
const failureOf = async (source: string) =>
  (await start(source)).act({ do: 'readPatient' }).then(
    () => undefined,
    ({ what, message }: DriverFailure) => ({ what, message }),
  );

test('an answer is what the program writes in one line', async () => {
  const answer = JSON.stringify({ sees: 'form', text: 'Please tell us who you are.' });
  const driver = await start(`process.stdin.on('data', () => console.log(${JSON.stringify(answer)}))`);
  expect(await driver.act({ do: 'readPatient' })).toEqual({
    sees: 'form',
    text: 'Please tell us who you are.',
  });
  await driver.leave();
  await expect(driver.act({ do: 'readPatient' })).rejects.toMatchObject({ what: 'unreachable' });
});

test('a program without a directory of its own runs in that of the kit', async () => {
  const answer = "JSON.stringify({ sees: 'form', text: process.cwd() })";
  const driver = await start(`process.stdin.on('data', () => console.log(${answer}))`);
  expect(await driver.act({ do: 'readPatient' })).toMatchObject({ text: process.cwd() });
});

test('a program that does not start is told', async () => {
  await expect(start('', '/nowhere/no-program')).rejects.toMatchObject({
    what: 'unreachable',
    message: expect.stringContaining('/nowhere/no-program does not start'),
  });
});

test('a program that ends early is told with its last words', async () => {
  const failure = await failureOf("console.error('no storage'); process.exitCode = 3");
  expect(failure).toEqual({
    what: 'unreachable',
    message: expect.stringMatching(/ended with code 3.*no storage/),
  });
});

test('an answer that is no JSON, or of another shape, is told', async () => {
  const says = (line: string) => `process.stdin.on('data', () => console.log(${JSON.stringify(line)}))`;
  expect(await failureOf(says('ready'))).toMatchObject({ what: 'unexpected-answer' });
  expect(await failureOf(says('\ufeff{"sees":"code","text":""}'))).toMatchObject({
    message: expect.stringContaining('it begins with a byte order mark'),
  });
  expect(await failureOf(says('{"sees":"home","text":""}'))).toEqual({
    what: 'unexpected-answer',
    message: expect.stringContaining('one of code, form, patient'),
  });
});

test('a program that does not answer is told after the time of the file, and ended', async () => {
  const driver = await start('process.stdin.resume(); setInterval(() => undefined, 1_000)');
  await expect(driver.act({ do: 'logout' })).rejects.toMatchObject({
    what: 'timeout',
    message: 'no answer to logout within 1500 ms',
  });
  await driver.leave();
});
