/** What stands in place of the page: the question for its token, that of a link, and that it is broken. */
import { expect } from '@playwright/test';
import type { Moment } from '../api.ts';
import { linkTo } from './connection/address.ts';
import { open, test, violations } from './testing/console-test.ts';

test.describe.configure({ timeout: 60_000 });

const moment: Moment = {
  ...{ version: 1, seed: 8, scenario: 'token-ends', step: 2, movedMs: 0, faults: [] },
  skewMs: { client: 0, auth: 0, ehr: 0 },
};

test('a locked console says what it is, and takes only the right token', async ({ page, fake }) => {
  await page.goto(new URL('/', fake.address).href);
  await expect(page.getByRole('heading', { name: 'The console is locked' })).toBeVisible();
  await expect(page.getByRole('main')).toContainText('a client, an authorization server and an EHR server');
  await expect(page.getByRole('listitem')).toContainText(['npm run demo', '/?token=', 'Paste it here']);
  await expect(page.getByRole('alert')).toHaveCount(0);
  await page.getByLabel('Address or token').fill('of-yesterday');
  await page.getByLabel('Address or token').press('Enter');
  await expect(page.getByRole('alert')).toHaveText(/^This demo has another token/);
  await page.getByLabel('Address or token').fill(fake.address);
  await page.getByRole('button', { name: 'Open' }).click();
  await expect(page.getByText('Three parties, live')).toBeVisible();
});

test.describe('390 px wide, dark', () => {
  test.use({ viewport: { width: 390, height: 800 }, colorScheme: 'dark' });

  test('a locked link tells its situation, and opens it where it can be read', async ({ page, fake }) => {
    await page.goto(linkTo(moment, new URL('/', fake.address).href));
    await expect(page.getByRole('heading', { name: 'This link leads into a locked demo' })).toBeVisible();
    await expect(page.getByRole('main')).toContainText('the scenario token-ends, after 2 steps');
    expect(await violations(page)).toEqual([]);
    await page.getByLabel('Address or token').fill(fake.address);
    await page.getByRole('button', { name: 'Open' }).click();
    const text = page.getByRole('dialog', { name: 'Open this situation?' });
    await expect(text).toContainText('The demo is reset first');
    await expect(text).toContainText('the link was made with seed 8');
    await page.getByRole('button', { name: 'Reset and open' }).click();
    await expect.poll(() => fake.asked.map(({ body }) => body)).toEqual([moment]);

    const unread = page.getByRole('dialog', { name: 'This link cannot be opened' });
    for (const [content, words] of [
      ['{"version":1}', 'No situation can be read from it'],
      ['{"version":99}', 'Its situation has version 99, and this demo reads version 1'],
    ] as const) {
      await page.goto('about:blank');
      await page.goto(`${fake.address}#moment=${encodeURIComponent(content)}`);
      await expect(unread).toContainText(words);
    }
    expect(await violations(page)).toEqual([]);
    await unread.getByRole('button', { name: 'Close' }).click();
    await expect(unread).toHaveCount(0);
    expect(fake.asked).toHaveLength(1);
  });
});

test('a page that a stranger has broken says so, and is loaded again', async ({ page, fake }) => {
  await open(page, fake);
  await page.locator('.lane-ground > *').evaluate((list) => {
    const wrapper = document.createElement('div');
    list.replaceWith(wrapper);
    wrapper.append(list);
  });
  await page.getByRole('button', { name: 'Why the exchange token?' }).click();
  await expect(page.getByRole('heading', { name: 'This page cannot be shown' })).toBeVisible();
  await page.getByRole('button', { name: 'Reload the page' }).click();
  await expect(page.getByRole('heading', { name: 'The exchange, live' })).toBeVisible();
});
