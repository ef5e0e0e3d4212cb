/** The page of the console after a stranger has moved its elements: it says that it cannot be shown. */
import { expect } from '@playwright/test';
import { open, test } from './testing/console-test.ts';

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
