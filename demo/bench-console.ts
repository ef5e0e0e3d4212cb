/**
 * `npm run bench:console`: how soon a message is on the page of the console, in a browser, and how smoothly
 * ten thousand of them scroll. Prints figures; a quiet machine gives the best.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import type { Row } from '#console/api.ts';
import { buildConsolePage } from '#console/page/build.ts';
import type { Consoles } from '#console/server/open-console.ts';
import { writePopulation } from '#mis-fixtures/write-population.ts';
import { systemClock } from '#protocol/time/clock.ts';
import { findBrowser } from '#scripts/test/find-browser.ts';
import { toolCommand } from '#service/process/tool-command.ts';
import { portsOfWorld } from './worlds/setup.ts';
import { startWorlds } from './worlds/start-worlds.ts';

const NAME = 'bench';
const TOKEN = 'token';
/** The four ports after it are taken, too. */
const PAGE_PORT = 27_300;
const ROWS = 10_000;
const AT_ONCE = 20;
/** Calls whose way to the page is timed, one by one. */
const TIMED_CALLS = 40;
const PAUSE_MS = 200;
/** How long the page may take to show the newest of a flood. */
const CATCH_UP_MS = 120_000;
const FRAMES = 240;
const SCROLL_PX = 400;

/** Notes when the line of each message is first there. Texts, since a bundler adds names to functions. */
const WATCH = `
  window.seen = {};
  new MutationObserver(() => {
    for (const { dataset } of document.querySelectorAll('[data-message]')) window.seen[dataset.message] ??= Date.now();
  }).observe(document.body, { attributeFilter: ['data-message'], childList: true, subtree: true });
`;
const SCROLL = `(async () => {
  const list = document.querySelector('.lane-scroll');
  const began = performance.now();
  for (let frame = 0; frame < ${FRAMES}; frame++) {
    list.scrollTop -= ${SCROLL_PX};
    await new Promise(requestAnimationFrame);
  }
  return performance.now() - began;
})()`;

toolCommand('npm run bench:console --')
  .description(
    'Measures the page of the console in a browser: how soon a message is on it, and how smoothly ten thousand of them scroll. Takes about a minute; leave the machine alone meanwhile.',
  )
  .parse();

const folder = mkdtempSync(join(tmpdir(), 'bench-console-'));
const worlds = await start();
const executablePath = process.env.E2E_BROWSER || findBrowser();
const browser = await chromium.launch({
  ...(executablePath !== undefined && { executablePath }),
  chromiumSandbox: process.getuid?.() !== 0,
});
try {
  const page = await browser.newPage({ viewport: { width: 1600, height: 900 } });
  await page.addInitScript("localStorage.setItem('console-explained', 'yes')");
  await page.goto(`${worlds.url}/w/${NAME}/?token=${TOKEN}`);
  await page.locator('.footer .is-good').waitFor();
  await page.evaluate(WATCH);
  print('a message is on the page after its reply', await timeCalls(page));
  for (let made = 0; made < ROWS; made += AT_ONCE) await Promise.all(Array.from({ length: AT_ONCE }, call));
  await page.locator(`[data-message="${(await rows()).at(-1)?.id}"]`).waitFor({ timeout: CATCH_UP_MS });
  print(`the same with ${ROWS} messages on the page`, await timeCalls(page));
  await page.keyboard.press('f');
  const tookMs = await page.evaluate<number>(SCROLL);
  print('frames a second while scrolling', `${Math.round((FRAMES * 1_000) / tookMs)}`);
  print('memory of the page', await memoryOf(page));
} finally {
  await browser.close();
  await worlds.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function start(): Promise<Consoles> {
  const misDatabase = join(folder, 'population.sqlite');
  await writePopulation({ file: misDatabase, patients: 0, seed: 1, locales: ['en'] });
  return startWorlds({
    worlds: [{ name: NAME, token: TOKEN, ports: portsOfWorld(PAGE_PORT, 0) }],
    pagePort: PAGE_PORT,
    pageDirectory: (await buildConsolePage()).directory,
    misDatabase,
    internalUser: 'auth-server',
    internalPassword: 'internal-password',
    seed: 1,
    logLevel: 'silent',
  });
}

async function call(): Promise<void> {
  const cred = { user: 'nobody', token: 'none' };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'patient.get_patient', params: {}, cred });
  const url = worlds.worlds[0]?.addresses.ehr ?? '';
  await (await fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })).text();
}

/** Makes calls one by one. Returns how long after its reply each was on the page. */
async function timeCalls(page: Page): Promise<string> {
  const last = (await rows()).at(-1)?.id ?? 0;
  for (let made = 0; made < TIMED_CALLS; made++) {
    await call();
    await new Promise<void>((resolve) => systemClock.after(PAUSE_MS, resolve));
  }
  const seen = await page.evaluate<Record<number, number>>('window.seen');
  const late = (await rows())
    .flatMap((row) => (row.kind === 'message' && row.id > last ? [(seen[row.id] ?? Number.NaN) - row.endedAt] : []))
    .sort((a, b) => a - b);
  const at = (share: number) => `${late[Math.ceil(late.length * share) - 1]} ms`;
  return `median ${at(0.5)}, p95 ${at(0.95)}, most ${at(1)} of ${late.length}`;
}

async function rows(): Promise<Row[]> {
  const response = await fetch(`${worlds.url}/w/${NAME}/api/messages`, {
    headers: { Authorization: `Bearer ${TOKEN}` },
  });
  return (await response.json()) as Row[];
}

async function memoryOf(page: Page): Promise<string> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return `${Math.round(usedSize / 1_000_000)} MB`;
}

function print(what: string, figure: string): void {
  process.stdout.write(`${what}: ${figure}\n`);
}
