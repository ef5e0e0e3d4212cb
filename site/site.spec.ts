import { execFileSync } from 'node:child_process';
import type { Server } from 'node:http';
import { join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import { expect, test } from '@playwright/test';
import { serveSite } from '#scripts/docs/site/serve.ts';

// One worker: the site is built once for all tests.
test.describe.configure({ mode: 'default' });

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
  'checks/client',
  'checks/wrong-codes-in-a-row',
  'requirements/4.1-token-unique',
  'defects/client',
  'errors/',
  'settings/',
  'decisions/0005-order-of-checks',
];

for (const scheme of ['light', 'dark'] as const)
  test(`no page has a violation that axe finds, ${scheme}`, async ({ browser }) => {
    const page = await (await browser.newContext({ colorScheme: scheme })).newPage();
    for (const path of KINDS) {
      await page.goto(url + path);
      await expect(page.locator('h1')).toBeVisible();
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations.map(({ id, nodes }) => `${path}: ${id} ${nodes[0]?.html}`)).toEqual([]);
    }
    await page.context().close();
  });
