/** Finds a Chrome or Chromium on this machine: Playwright's own, or an installed one. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

/** The places to search. */
export type Places = {
  /** The file that Playwright downloads. */
  playwright: string;
  /** The directories of PATH. */
  path: readonly string[];
  /** Full paths beyond PATH. */
  usual: readonly string[];
};

/** The names under which Linux distributions install a browser. */
const NAMES = ['google-chrome', 'google-chrome-stable', 'chromium', 'chromium-browser', 'chrome', 'microsoft-edge'];

const START_TIMEOUT_MS = 10_000;

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

/** Returns the full path of a browser that starts, or undefined when there is none. */
export function findBrowser(places: Places): string | undefined {
  const onPath = places.path.flatMap((directory) => NAMES.map((name) => join(directory, name)));
  return [places.playwright, ...onPath, ...places.usual].find(canRun);
}

/** The places of this machine. */
export function placesHere(playwright: string): Places {
  return {
    playwright,
    path: (process.env.PATH ?? '').split(delimiter).filter((directory) => directory !== ''),
    usual: USUAL,
  };
}

/**
 * Tells whether the program exists and starts. Some distributions install a script that only says what to
 * install, and a downloaded browser may lack system libraries.
 */
function canRun(file: string): boolean {
  if (!existsSync(file)) return false;
  // On Windows, asking for the version opens a window.
  if (process.platform === 'win32') return true;
  return spawnSync(file, ['--version'], { stdio: 'ignore', timeout: START_TIMEOUT_MS }).status === 0;
}
