import { expect, test } from '@playwright/test';
import { fakeReport } from '../testing/fake-run.ts';
import { largeRun } from '../testing/large-run.ts';
import { openReport } from '../testing/pages.ts';
import { htmlOf } from './page.ts';

test('the page of the largest run has at most 15 000 nodes', async ({ page }, info) => {
  const large = largeRun();
  await openReport(page, info, htmlOf(fakeReport(large)));
  // Three failed checks are open at first, each with its first scene.
  await expect(page.locator('.card[open] .scene[open] .sequence')).toHaveCount(3);
  const nodes = await page.evaluate(() => document.querySelectorAll('*').length);
  expect(nodes).toBeGreaterThan(5_000);
  expect(nodes).toBeLessThanOrEqual(15_000);
  await page.getByRole('searchbox').fill('What this check requires of the server holds, number 359');
  await expect(page.locator('#check-a-check-of-this-number-359 > summary')).toBeVisible();
  await expect(page.locator('#check-a-check-of-this-number-358')).toBeHidden();
});
