import { expect, type Page, test } from '@playwright/test';
import { htmlOf } from '../html.ts';
import { fakeReport, fakeRun } from '../testing/fake-run.ts';
import { openReport } from '../testing/open-report.ts';

const fake = fakeRun({ crowd: 2 });
const text = htmlOf(fakeReport(fake, { playAlone: (check) => `play --only ${check}` }));

const shown = (page: Page, what: string) => page.locator(`${what}:visible`);

test('a search leaves what has all of its words, and counts it', async ({ page }, info) => {
  await openReport(page, info, text);
  const field = page.getByRole('searchbox', { name: 'Search' });
  await expect(field).toBeVisible();
  await page.keyboard.press('/');
  await expect(field).toBeFocused();
  // The words stand in what the card shows when it is opened.
  await page.keyboard.type('STRING "86400"');
  await expect(shown(page, '.card[id^="check-"]')).toHaveCount(1);
  await expect(page.locator('#check-auth-info-ttl > summary')).toBeVisible();
  await expect(page.getByRole('status')).toHaveText('1 check');
  await field.fill('first-link');
  await expect(page.locator('#scenario-first-link > summary')).toBeVisible();
  await expect(page.locator('#scenario-crowd > summary')).toBeHidden();
  await field.fill('no such words');
  await expect(page.getByRole('status')).toHaveText('Nothing found.');
  await expect(shown(page, 'tr.row')).toHaveCount(0);
  await field.fill('');
  await expect(shown(page, '.card[id^="check-"]')).toHaveCount(18);
  await expect(page.getByRole('status')).toHaveText('');
});

test('search and outcome both filter, and a link shows what they hide', async ({ page }, info) => {
  await openReport(page, info, text);
  await page.getByRole('searchbox').fill('ttl');
  await page.getByRole('radio', { name: 'warning' }).check();
  await expect(shown(page, '.card[id^="check-"]')).toHaveCount(0);
  await page.getByRole('radio', { name: 'failed' }).check();
  await expect(shown(page, '.card[id^="check-"]')).toHaveCount(1);
  await page.evaluate(() => {
    location.hash = 'check-digest-shape';
  });
  await expect(page.locator('#check-digest-shape > .inside')).toBeVisible();
  await expect(page.getByRole('searchbox')).toHaveValue('');
});

test('a red card on paper shows its facts and its command', async ({ page }, info) => {
  await openReport(page, info, text);
  const card = page.locator('#check-session-dead-after-logout');
  await card.locator('> summary').click();
  await expect(card).not.toHaveAttribute('open');
  await page.emulateMedia({ media: 'print' });
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  await expect(card.getByText('a refusal, and no call to the EHR server')).toBeVisible();
  await expect(card.getByText('play --only session-dead-after-logout')).toBeVisible();
  await expect(page.getByRole('searchbox')).toHaveCount(0);
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  await expect(card).not.toHaveAttribute('open');
});
