/** Provides a browser for the tests: an installed one, Playwright's own, or the distribution's package. */
import { chromium } from '@playwright/test';
import { findBrowser as findIn, placesHere } from '#conformance/roles/client/drivers/browser/find-browser.ts';
import { runCommand } from './run-command.ts';

const DOWNLOAD_TIMEOUT_MS = 10 * 60_000;
const CONNECT_TIMEOUT_MS = '15000';

const SENTENCE = [
  'The browser tests need Chrome or Chromium; none is installed, and none could be fetched.',
  'Please install Google Chrome, or Chromium (Debian: apt-get install chromium; Fedora: dnf install chromium;',
  'macOS: brew install --cask chromium), or name one that is elsewhere by the variable E2E_BROWSER.',
].join(' ');

export const findBrowser = (): string | undefined => findIn(placesHere(chromium.executablePath()));

/** Downloads a browser only when there is none. Throws an Error with one sentence on what to install. */
export async function provideBrowser(): Promise<string> {
  const given = process.env.E2E_BROWSER;
  const found = given === undefined || given === '' ? findBrowser() : given;
  if (found !== undefined) return found;
  const own = await runCommand({
    title: "Downloading Playwright's Chromium",
    node: ['node_modules/@playwright/test/cli.js', 'install', '--only-shell', 'chromium'],
    env: { PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: CONNECT_TIMEOUT_MS },
    limit: DOWNLOAD_TIMEOUT_MS,
  });
  const browser = findBrowser() ?? (await installPackage());
  if (browser !== undefined) return browser;
  const said = own.output.trim().split('\n').slice(-5);
  throw new Error(`${SENTENCE}\n\nPlaywright said:\n${said.map((line) => `  ${line}`).join('\n')}`);
}

/** Installs a package of Debian, where the user may do so without a password. */
async function installPackage(): Promise<string | undefined> {
  if (process.platform !== 'linux') return undefined;
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  const run = async (title: string, ...words: string[]) => {
    const program = [...sudo, ...words] as [string, ...string[]];
    const env = { DEBIAN_FRONTEND: 'noninteractive' };
    return (await runCommand({ title, program, env, limit: DOWNLOAD_TIMEOUT_MS })).code === 0;
  };
  if (sudo.length > 0 && !(await run('Asking for sudo', 'true'))) return undefined;
  const apt = (...args: string[]) =>
    run(`Installing Chromium (apt-get ${args.join(' ')})`, 'apt-get', ...args);
  await apt('update');
  for (const name of ['chromium-headless-shell', 'chromium'])
    if (await apt('install', '-y', '--no-install-recommends', name)) return findBrowser();
  return undefined;
}
