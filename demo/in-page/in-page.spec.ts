/** The page without an installation, alone in a browser: once it is there, the network is cut. */
import type { Page } from '@playwright/test';
import { violations } from '#console/page/testing/console-test.ts';
import { clientIn, expect, openAlone, test } from './testing/in-page-test.ts';

test.use({ viewport: { width: 1600, height: 900 } });

const calls = (page: Page, method: string) => page.locator('[data-message]').filter({ hasText: method });

test('a person links the record by hand, and sees it', async ({ page, served }) => {
  await openAlone(page, served.address);
  await expect(page.getByText('All three parties run in this page')).toBeVisible();
  await page.getByRole('button', { name: 'Anna', exact: true }).click();
  const client = clientIn(page);
  await client.getByRole('button', { name: 'Send code' }).click();
  await page.getByRole('button', { name: /^Fill in the code/ }).click();
  await client.getByRole('button', { name: 'Confirm' }).click();
  await client.getByRole('button', { name: 'Find my record' }).click();
  await expect(client.getByRole('heading', { level: 1, name: /Anna.*Petrova/ })).toBeVisible();
  await expect(calls(page, 'save_auth_info')).toBeVisible();
  expect(await violations(page)).toEqual([]);
});
