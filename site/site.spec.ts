import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import type { Server } from 'node:http';
import { join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import { type Browser, expect, type Page, test } from '@playwright/test';
import { parse } from 'yaml';
import { serveSite } from '#scripts/docs/site/serve.ts';
import { brokenLinks } from './links.ts';

// One worker: the site is built once for all tests.
test.describe.configure({ mode: 'default' });
// A trace keeps each page before and after each action, which takes as long as the tests.
test.use({ trace: 'off' });

const root = join(import.meta.dirname, '..');
const BUILT = 'dist/site-tested';

let url: string;
let server: Server;

test.beforeAll(async () => {
  test.setTimeout(600_000);
  execFileSync(process.execPath, ['scripts/run.mjs', 'scripts/docs/site/main.ts', '--to', BUILT], {
    cwd: root,
  });
  ({ url, server } = await serveSite(join(root, BUILT), 0));
});

test.afterAll(() => server.close());

/** A page of each kind. */
const KINDS = [
  '',
  'judge',
  'interface',
  'checks/',
  'requirements/',
  'errors/',
  'settings/',
  'decisions/0005-order-of-checks',
  'source/conformance/examples/',
  'source/docs/examples/adapters/cookie-yaml',
];

for (const colorScheme of ['light', 'dark'] as const)
  test(`no page of any kind has a violation that axe finds, ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    for (const path of KINDS) {
      expect((await page.goto(url + path))?.status(), path).toBe(200);
      await expect(page.locator('h1')).toBeVisible();
      // What was passed is not counted, which halves the time.
      const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
      const { violations } = await axe.analyze();
      expect(violations.map(({ id, nodes }) => `${path}: ${id} ${nodes[0]?.html}`)).toEqual([]);
    }
  });

test('every link leads to a page of the site, and to its place there', () => {
  expect(brokenLinks(join(root, BUILT))).toEqual([]);
});

/** What a browser must have to draw the first page whole; 380 kB were drawn within half a second. */
const MAX_FIRST_PAGE_BYTES = 500_000;

test('first page is small, and needs nothing of another site', async ({ page }) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(url, { waitUntil: 'networkidle' });
  expect(asked.filter((address) => !address.startsWith(url) && !address.startsWith('data:'))).toEqual([]);
  const html = readFileSync(join(root, BUILT, 'index.html'), 'utf8');
  const needed = [...html.matchAll(/"(\/assets\/[^"]+\.(?:css|js))"/g)].map(([, file = '']) => file);
  const sizes = [...new Set(needed)].map((file) => statSync(join(root, BUILT, file)).size);
  expect(sizes.length).toBeGreaterThan(3);
  expect(sizes.reduce((sum, size) => sum + size, html.length)).toBeLessThan(MAX_FIRST_PAGE_BYTES);
});

type Question = { ask: string; search: string; found: string };
const questions = parse(readFileSync(join(import.meta.dirname, 'questions.yaml'), 'utf8')) as Question[];

/** The search waits as long before it looks for what was typed. */
const SEARCH_WAITS_MS = 200;

/** Types words into the search. Returns the addresses of the results, in order. */
async function search(page: Page, words: string): Promise<(string | null)[]> {
  await page.getByRole('searchbox').fill(words);
  await page.clock.runFor(SEARCH_WAITS_MS);
  const results = page.getByRole('option').getByRole('link');
  return results.evaluateAll((links) => links.map((link) => link.getAttribute('href')));
}

test('each question of a reader is answered by one search', async ({ page }) => {
  await page.clock.install();
  await page.goto(url);
  await page.getByRole('button', { name: 'Search' }).click();
  // The index is loaded with the first search.
  await expect.poll(() => search(page, 'conformance')).not.toEqual([]);
  const missed: unknown[] = [];
  for (const { ask, search: words, found } of questions) {
    const first = (await search(page, words)).slice(0, 3);
    if (!first.includes(found)) missed.push({ ask, words, found, first });
  }
  expect(missed).toEqual([]);
  await page.getByRole('searchbox').press('Enter');
  await expect(page).toHaveURL(new URL(questions.at(-1)?.found ?? '', url).href);
});

async function withoutScripts(browser: Browser, width: number): Promise<Page> {
  const viewport = { width, height: 800 };
  return (await browser.newContext({ javaScriptEnabled: false, viewport })).newPage();
}

for (const width of [1280, 390])
  test(`a page without scripts is read, and its menu leads on, at ${width} pixels`, async ({ browser }) => {
    const page = await withoutScripts(browser, width);
    await page.goto(`${url}judge`);
    const menu = page.getByRole('navigation', { name: 'Sidebar Navigation' }).getByRole('link');
    // A click needs what nothing covers.
    for (const link of await menu.all()) await link.click({ trial: true });
    await page.getByText('In a clone, write').click();
    await menu.getByText('Files', { exact: true }).click();
    await expect(page).toHaveURL(`${url}files`);
    await page.getByRole('main').getByRole('link', { name: 'mock.yaml' }).click();
    await expect(page).toHaveURL(`${url}source/conformance/examples/mock-yaml`);
    await page.context().close();
  });

test('the menu leads to the demo that runs in the browser', async ({ page }) => {
  await page.goto(url);
  await page.getByRole('link', { name: 'See it live' }).click();
  await expect(page).toHaveURL(`${url}live/`);
  const client = page.getByTitle('The client, as a patient sees it').contentFrame();
  await expect(client.getByRole('button', { name: 'Send code' })).toBeVisible();
});
