import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { findBrowser, placesHere } from './find-browser.ts';

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
