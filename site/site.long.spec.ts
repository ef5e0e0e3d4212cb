import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { join, relative } from 'node:path';
import { expect, test } from '@playwright/test';
import { violationsOn } from '#testing/page.ts';
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

/** The built HTML file of a page. */
type BuiltPage = { readonly targets: ReadonlySet<string>; readonly ids: ReadonlySet<string> };

/** Lists the broken links of a built site, one sentence each. */
function brokenLinks(directory: string): string[] {
  const files = new Set(filesBelow(directory));
  const pages = new Map(
    [...files].filter(isHtml).map((file) => [file, pageOf(readFileSync(join(directory, file), 'utf8'))]),
  );
  const from = new Map<string, string>();
  for (const [file, { targets }] of pages)
    for (const target of targets) {
      const path = pathOf(target, file);
      if (path !== undefined && !from.has(path)) from.set(path, file);
    }
  return [...from].flatMap(([path, source]) => {
    const [route = '', anchor = ''] = decodeURIComponent(path).split('#');
    const file = [route.replace(/(^|\/)$/, '$1index.html'), `${route}.html`].find((each) => files.has(each));
    if (file === undefined) return [`${source}: the site has no ${path}.`];
    if (anchor === '' || pages.get(file)?.ids.has(anchor)) return [];
    return [`${source}: ${file} has no element #${anchor}.`];
  });
}

function filesBelow(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
}

const isHtml = (file: string) => file.endsWith('.html');

function pageOf(html: string): BuiltPage {
  const targets = new Set<string>();
  const ids = new Set<string>();
  for (const [tag] of html.matchAll(/<[a-z][^>]*>/g))
    for (const [, name, value = ''] of tag.matchAll(/\s(href|src|srcset|id)="([^"]*)"/g))
      (name === 'id' ? ids : targets).add(value.replaceAll('&amp;', '&'));
  return { targets, ids };
}

/** Returns the path on the site with the anchor; undefined: the link leads to another site. */
function pathOf(target: string, file: string): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(target)) return undefined;
  const { pathname, hash } = new URL(target, `http://site/${file.replace(/(?:index)?\.html$/, '')}`);
  return pathname.slice(1) + hash;
}
