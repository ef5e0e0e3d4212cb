/** Reset asks first, and takes the client of the page along. */
import { expect } from '@playwright/test';
import { open, test } from './testing/console-test.ts';

test.describe.configure({ timeout: 60_000 });

const KEPT = ['console-explained', 'my-records.language', '/other/client/ my-records.tab'];
const OF_CLIENT = ['/client/ my-records.tab', '/client/ my-records.user-sign:phone:79990000001'];

test('after a reset all is empty; a restore leaves the client alone', async ({ page, fake }) => {
  await open(page, fake);
  const client = page.frameLocator('.device-frame');
  await client.getByLabel('Phone').fill('79990000001');
  await client.getByRole('button').click();
  await expect(client.getByLabel('Code')).toBeVisible();
  await page.evaluate(
    (keys) => {
      for (const storage of [localStorage, sessionStorage])
        for (const key of keys) storage.setItem(key, 'en');
    },
    [...KEPT, ...OF_CLIENT],
  );

  await page.getByRole('button', { name: 'Reset', exact: true }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Reset the demo?' });
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  // It is hidden before the page knows that it was closed.
  await expect(page.locator('dialog')).toHaveCount(0);
  expect(fake.asked).toEqual([]);

  await page.getByRole('button', { name: 'Reset', exact: true }).press('Enter');
  await dialog.getByRole('button', { name: 'Reset', exact: true }).press('Enter');
  await expect.poll(() => fake.asked.map(({ path }) => path)).toEqual(['reset']);
  fake.send('reset', { isEmptied: true });
  await expect(client.getByLabel('Phone')).toHaveValue('');
  const left = await page.evaluate(() =>
    [localStorage, sessionStorage].map((storage) => Object.keys(storage).sort()),
  );
  expect(left[1]).toEqual([...KEPT].sort());
  expect(left[0]).toEqual(expect.arrayContaining(KEPT));
  expect(left[0]).not.toEqual(expect.arrayContaining(OF_CLIENT.slice(0, 1)));

  await client.getByLabel('Phone').fill('79990000001');
  fake.send('reset', { isEmptied: false });
  await expect(page.locator('[data-message]').first()).toBeVisible();
  await expect(client.getByLabel('Phone')).toHaveValue('79990000001');
});
