/** A page whose elements a stranger has moved: it cannot be drawn any more, and says so. */
import { expect, test } from './test.ts';

test('a page that a stranger has broken says so, and is loaded again', async ({ app, page }) => {
  await app.open();
  await page.locator('main > *').evaluate((card) => {
    const wrapper = document.createElement('div');
    card.replaceWith(wrapper);
    wrapper.append(card);
  });
  await page.getByLabel('Phone number').fill('79991112233');
  await app.press('Send code');
  await app.sees('This page cannot be shown');
  await expect(page.getByRole('alert')).toContainText('such as a translator');
  await app.press('Reload the page');
  await app.sees('Enter the code');
});
