/** Finds a Chrome or Chromium on this machine: Playwright's own, or an installed one. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';

export type Places = { playwright: readonly string[]; path: readonly string[]; usual: readonly string[] };

const NAMES = [
  'chromium-headless-shell',
  'chrome-headless-shell',
  'google-chrome',
  'google-chrome-stable',
  'chromium',
  'chromium-browser',
  'chrome',
  'microsoft-edge',
];

const START_TIMEOUT_MS = 10_000;

const USUAL = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  // Not `homedir`: it throws where the user has no entry and no HOME.
  join(process.env.HOME ?? '/', 'Applications/Google Chrome.app/Contents/MacOS/Google Chrome'),
  '/opt/google/chrome/chrome',
  '/snap/bin/chromium',
  ...['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].flatMap((name) => {
    const base = process.env[name];
    return base === undefined ? [] : [join(base, 'Google/Chrome/Application/chrome.exe')];
  }),
];

/** First come those without a window, which need a quarter of the time for a page. */
export function findBrowser(places: Places): string | undefined {
  const onPath = places.path.flatMap((directory) => NAMES.map((name) => join(directory, name)));
  const all = [...places.playwright, ...onPath, ...places.usual];
  return [...all.filter(hasNoWindow), ...all.filter((file) => !hasNoWindow(file))].find(canRun);
}

const hasNoWindow = (file: string): boolean => basename(file).includes('headless-shell');

/** The places of this machine; `playwright` is the file that Playwright downloads as its Chromium. */
export function placesHere(playwright: string): Places {
  return {
    playwright: [...shellsBeside(playwright), playwright],
    path: (process.env.PATH ?? '').split(delimiter).filter((directory) => directory !== ''),
    usual: USUAL,
  };
}

/** Playwright keeps its Chromium without a window in a directory next to that of its Chromium with one. */
function shellsBeside(playwright: string): string[] {
  const [, root = '', revision = ''] = /^(.+[/\\])chromium-(\d+)[/\\]/.exec(playwright) ?? [];
  const directory = `${root}chromium_headless_shell-${revision}`;
  if (!existsSync(directory)) return [];
  return readdirSync(directory).flatMap((name) =>
    ['chrome-headless-shell', 'chrome-headless-shell.exe'].map((file) => join(directory, name, file)),
  );
}

/** Some distributions install a script that only says what to install. */
function canRun(file: string): boolean {
  if (!existsSync(file)) return false;
  // On Windows, asking for the version opens a window.
  if (process.platform === 'win32') return true;
  return spawnSync(file, ['--version'], { stdio: 'ignore', timeout: START_TIMEOUT_MS }).status === 0;
}
