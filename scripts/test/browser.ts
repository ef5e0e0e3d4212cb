/**
 * Provides a browser for the browser tests: an installed one, else Playwright's own, else the package of the
 * distribution.
 */
import { findBrowser } from './find-browser.ts';
import { runCommand } from './run-command.ts';

const DOWNLOAD_TIMEOUT_MS = 10 * 60_000;
const CONNECT_TIMEOUT_MS = '15000';

const SENTENCE = [
  'The browser tests need Chrome or Chromium; none is installed, and none could be fetched.',
  'Please install Google Chrome, or Chromium (Debian: apt-get install chromium; Fedora: dnf install chromium;',
  'macOS: brew install --cask chromium), or name one that is elsewhere by the variable E2E_BROWSER.',
].join(' ');

/**
 * Returns the path of a browser that starts. Downloads one only when there is none.
 * @throws Error with one sentence on what to install
 */
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
  throw new Error(`${SENTENCE}\n\nPlaywright said:\n${lastLines(own.output)}`);
}

/** Installs a package of Debian, where the user may do so without a password. */
async function installPackage(): Promise<string | undefined> {
  if (process.platform !== 'linux') return undefined;
  const root = process.getuid?.() === 0;
  if (!root && (await runCommand({ title: 'Asking for sudo', program: ['sudo', '-n', 'true'] })).code !== 0)
    return undefined;
  const apt = async (...args: string[]) => {
    const command = ['apt-get', ...args];
    const env = { DEBIAN_FRONTEND: 'noninteractive' };
    const program: [string, ...string[]] = root ? ['apt-get', ...args] : ['sudo', '-n', ...command];
    return (
      await runCommand({
        title: `Installing Chromium (${command.join(' ')})`,
        program,
        env,
        limit: DOWNLOAD_TIMEOUT_MS,
      })
    ).code;
  };
  await apt('update');
  for (const name of ['chromium-headless-shell', 'chromium'])
    if ((await apt('install', '-y', '--no-install-recommends', name)) === 0) return findBrowser();
  return undefined;
}

function lastLines(text: string): string {
  return text
    .trim()
    .split('\n')
    .slice(-5)
    .map((line) => `  ${line}`)
    .join('\n');
}
