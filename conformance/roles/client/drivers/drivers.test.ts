import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '#protocol/time/clock.ts';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { findBrowser, placesHere } from './browser/find-browser.ts';
import { ensureHome } from './browser/open.ts';
import { startCommandDriver } from './command-driver.ts';

const STORAGE = `\${${'storage'}}`;

/** Starts a script of the shell, which is killed with the test. */
async function start(
  source: string,
  { program = '/bin/sh', storage = 'none', actionMs = 1_500, note = (_text: string) => undefined } = {},
) {
  const driver = await startCommandDriver({
    client: { command: [program, '-c', source, STORAGE], env: {} },
    timeouts: { actionMs, leaveMs: 500 },
    authUrl: 'http://auth.invalid',
    ehrUrl: 'http://ehr.invalid',
    ...{ storage, note },
    clock: systemClock,
    env: process.env,
    mask: (text) => text,
  });
  onTestFinished(() => driver.kill());
  return driver;
}

/** A script that answers each line by this one. */
const says = (line: string) => `while read -r action; do printf '%s\\n' '${line}'; done`;

test('a user without an entry and a HOME gets one for the browser', () => {
  vi.stubEnv('HOME', undefined);
  onTestFinished(() => void vi.unstubAllEnvs());
  ensureHome(() => {
    throw new Error('uv_os_homedir returned ENOENT');
  });
  expect(process.env.HOME).toBe(tmpdir());
});

test('an answer is one line that the program writes in the kit’s directory', async () => {
  const driver = await start(says(`{"sees":"form","text":"'"$PWD"'"}`));
  expect(await driver.act({ do: 'readPatient' })).toEqual({ sees: 'form', text: process.cwd() });
  await driver.leave();
  await expect(driver.act({ do: 'readPatient' })).rejects.toMatchObject({ what: 'ended' });
});

test('a program that does not start is told', async () => {
  await expect(start('', { program: '/nowhere/no-program' })).rejects.toMatchObject({
    what: 'unreachable',
    message: expect.stringContaining('/nowhere/no-program does not start'),
  });
});

test.each([
  ["echo 'no storage' >&2; exit 3", 'ended', /ended with code 3.*no storage/],
  [says('ready'), 'unexpected-answer', /not one line of JSON: "ready"/],
  [says('\ufeff<p>'), 'unexpected-answer', /it is HTML or XML/],
  [says('{"sees":"home","text":""}'), 'unexpected-answer', /one of code, form, patient/],
  ["tr '\\0' x < /dev/zero", 'unexpected-answer', /^the answer is longer than 262144 characters: "x{80}"$/],
  ['exec sleep 60', 'timeout', /^no answer to logout within 1500 ms$/],
])('the program %s fails as %s', async (source, what, words) => {
  const driver = await start(source);
  const message = expect.stringMatching(words);
  await expect(driver.act({ do: 'logout' })).rejects.toMatchObject({ what, message });
  await driver.leave();
});

test('only plain files of the storage are read, the rest is told', async () => {
  const storage = temporaryFolder();
  const inStorage = (name: string) => join(storage, name);
  const notes: string[] = [];
  const note = (text: string) => void notes.push(text);
  const driver = await start('exec sleep 60', { storage, note });
  mkdirSync(inStorage('below'));
  writeFileSync(inStorage('below/session'), 'kept');
  expect(await driver.kept?.()).toEqual([{ text: 'kept' }]);
  expect(notes).toEqual([]);
  for (const put of [
    () => symlinkSync('.', inStorage('loop')),
    () => symlinkSync('/dev/zero', inStorage('zero')),
    () => execFileSync('mkfifo', [inStorage('pipe')]),
    () => {
      writeFileSync(inStorage('large'), '');
      truncateSync(inStorage('large'), 17 * 1024 * 1024);
    },
  ]) {
    put();
    expect(await driver.kept?.()).toEqual([{ text: 'kept' }]);
  }
  expect(notes).toEqual([expect.stringContaining('left out')]);
});

test('a log without an end does not fill the memory', async () => {
  const source = `head -c 5000000 /dev/zero >&2; ${says('{"sees":"code","text":""}')}`;
  const driver = await start(source, { actionMs: 60_000 });
  await driver.act({ do: 'logout' });
  const [log = ''] = driver.logged?.() ?? [];
  expect(Math.round(log.length / 1024 ** 2)).toBe(4);
});

let directory: string;
beforeEach(() => {
  directory = temporaryFolder();
});

function install(name: string, code = 0, mode = 0o755): string {
  const file = join(directory, name);
  writeFileSync(file, `#!/bin/sh\nexit ${code}\n`);
  chmodSync(file, mode);
  return file;
}
const find = (playwright: string, usual: string[] = []) =>
  findBrowser({ playwright: [playwright], path: [directory], usual });

test('a browser without a window comes first, the usual places last', () => {
  const missing = join(directory, 'missing');
  expect(find(missing)).toBeUndefined();
  const usual = install('elsewhere');
  expect(find(missing, [usual])).toBe(usual);
  const chromium = install('chromium');
  expect(find(missing, [usual])).toBe(chromium);
  const own = install('own');
  expect(find(own, [usual])).toBe(own);
  const shell = install('chromium-headless-shell');
  expect(find(own)).toBe(shell);
});

test('what cannot be started is passed over', () => {
  const stub = install('chromium-browser', 1);
  const locked = install('google-chrome', 0, 0o644);
  expect(find(locked, [stub])).toBeUndefined();
  const chrome = install('chrome');
  expect(find(locked, [stub])).toBe(chrome);
});

test("Playwright's Chromium without a window is found beside its other one", () => {
  const folder = join(directory, 'chromium_headless_shell-1234', 'chrome-headless-shell-linux64');
  mkdirSync(folder, { recursive: true });
  const { playwright } = placesHere(join(directory, 'chromium-1234', 'chrome-linux64', 'chrome'));
  expect(playwright).toContain(join(folder, 'chrome-headless-shell'));
});
