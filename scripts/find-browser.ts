/** Finds a Chrome or Chromium that is on this machine already: Playwright's own, else an installed one. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { chromium } from '@playwright/test';

/** What to look in; by default this machine. */
export type Places = {
  /** Where Playwright keeps the browser that it downloads. */
  playwright: string;
  /** The directories of PATH. */
  path: readonly string[];
  /** Full paths beyond PATH. */
  usual: readonly string[];
};

/** Names under which the packages of Linux distributions install it. */
const NAMES = ['google-chrome', 'google-chrome-stable', 'chromium', 'chromium-browser', 'chrome', 'microsoft-edge'];

const START_LIMIT = 10_000;

const USUAL = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  join(homedir(), 'Applications/Google Chrome.app/Contents/MacOS/Google Chrome'),
  '/opt/google/chrome/chrome',
  '/snap/bin/chromium',
  ...['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].flatMap((name) => {
    const base = process.env[name];
    return base === undefined ? [] : [join(base, 'Google/Chrome/Application/chrome.exe')];
  }),
];

/** The full path of a browser that can be started, or undefined when there is none. */
export function findBrowser(places: Places = thisMachine()): string | undefined {
  const onPath = places.path.flatMap((directory) => NAMES.map((name) => join(directory, name)));
  return [places.playwright, ...onPath, ...places.usual].find(canRun);
}

function thisMachine(): Places {
  return {
    playwright: chromium.executablePath(),
    path: (process.env.PATH ?? '').split(delimiter).filter((directory) => directory !== ''),
    usual: USUAL,
  };
}

/**
 * Whether it is there and starts: some distributions put a script in its place that only tells what to install, and a
 * downloaded one may lack libraries of the system.
 */
function canRun(file: string): boolean {
  if (!existsSync(file)) return false;
  // There, asking for the version opens a window.
  if (process.platform === 'win32') return true;
  return spawnSync(file, ['--version'], { stdio: 'ignore', timeout: START_LIMIT }).status === 0;
}
