import { execFileSync } from 'node:child_process';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { violationsOn } from '#testing/page.ts';
import { brokenLinks } from './links.ts';
import { serveSite } from './serve.ts';

// One worker: the site is built once for all tests.
test.describe.configure({ mode: 'default' });

const root = join(import.meta.dirname, '..');
const BUILT = 'dist/site-tested';

let url: string;
let server: Server;

test.beforeAll(async () => {
  test.setTimeout(600_000);
  execFileSync(process.execPath, ['scripts/run.mjs', 'site/main.ts', '--to', BUILT], { cwd: root });
  ({ url, server } = await serveSite(join(root, BUILT), 0));
});

test.afterAll(() => server.close());

test('every link leads to a page of the site, and to its place there', () => {
  expect(brokenLinks(join(root, BUILT))).toEqual([]);
});

/** A page of each kind. */
const KINDS = ['', 'judge', 'checks/', 'errors/', 'source/docs/examples/adapters/cookie-yaml'];

test('each kind of page is accessible, asks no other site, leads to the demo', async ({ page }) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  for (const path of KINDS) {
    expect((await page.goto(url + path))?.status(), path).toBe(200);
    await expect(page.locator('h1')).toBeVisible();
    expect(await violationsOn(page), path).toEqual([]);
  }
  expect(asked.filter((address) => !address.startsWith(url) && !address.startsWith('data:'))).toEqual([]);
  await page.goto(url);
  await page.getByRole('link', { name: 'See it live' }).click();
  await expect(page).toHaveURL(`${url}live/`);
  const client = page.getByTitle('The client, as a patient sees it').contentFrame();
  await expect(client.getByRole('button', { name: 'Send code' })).toBeVisible();
});
