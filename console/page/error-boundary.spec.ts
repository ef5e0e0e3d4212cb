/** The page of the console after a stranger has moved its elements: it says that it cannot be shown. */
import { expect, test } from '@playwright/test';
import { startFakeConsole } from './testing/fake-console.ts';

test('a page that a stranger has broken says so, and is loaded again', async ({ page }) => {
  const fake = await startFakeConsole();
  await page.addInitScript(() => localStorage.setItem('console-explained', 'yes'));
  await page.goto(fake.address);
  await expect(page.locator('[data-message]').first()).toBeVisible();
  await page.locator('.lane-ground > *').evaluate((list) => {
    const wrapper = document.createElement('div');
    list.replaceWith(wrapper);
    wrapper.append(list);
  });
  await page.getByRole('button', { name: 'Why the exchange token?' }).click();
  await expect(page.getByRole('heading', { name: 'This page cannot be shown' })).toBeVisible();
  await page.getByRole('button', { name: 'Reload the page' }).click();
  await expect(page.getByRole('heading', { name: 'The exchange, live' })).toBeVisible();
  await fake.stop();
});
