import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findBrowser, placesHere } from './find-browser.ts';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'browsers-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

/** Creates a program of this name that exits with this code. */
function install(name: string, code = 0, mode = 0o755): string {
  const file = join(directory, name);
  writeFileSync(file, `#!/bin/sh\nexit ${code}\n`);
  chmodSync(file, mode);
  return file;
}
const find = (playwright: string, usual: string[] = []) =>
  findBrowser({ playwright: [playwright], path: [directory], usual });

test("Playwright's own browser comes first, then those on the path, then the usual places", () => {
  const missing = join(directory, 'missing');
  const usual = install('elsewhere');
  expect(find(missing, [usual])).toBe(usual);
  const chromium = install('chromium');
  expect(find(missing, [usual])).toBe(chromium);
  const own = install('own');
  expect(find(own, [usual])).toBe(own);
});

test('what cannot be started is passed over', () => {
  const stub = install('chromium-browser', 1);
  const locked = install('google-chrome', 0, 0o644);
  expect(find(locked, [stub])).toBeUndefined();
  const chrome = install('chrome');
  expect(find(locked, [stub])).toBe(chrome);
});

test('without any browser there is none', () => {
  expect(find(join(directory, 'missing'))).toBeUndefined();
});

test('a browser without a window comes before all others', () => {
  const own = install('own');
  const shell = install('chromium-headless-shell');
  expect(find(own)).toBe(shell);
});

test("Playwright's Chromium without a window is found beside its other one", () => {
  const folder = join(directory, 'chromium_headless_shell-1234', 'chrome-headless-shell-linux64');
  mkdirSync(folder, { recursive: true });
  const { playwright } = placesHere(join(directory, 'chromium-1234', 'chrome-linux64', 'chrome'));
  expect(playwright).toContain(join(folder, 'chrome-headless-shell'));
});
