/** The colours of the panel of calls: amber for a refusal, red for trouble alone; a log out has neither. */
import type { Page } from '@playwright/test';
import { anna } from '#testing/people.ts';
import { expect, test } from './test.ts';

const PHONE = '79991112233';

/** The panel is open beside the page. */
test.use({ viewport: { width: 1280, height: 900 } });

const calls = (page: Page) =>
  page.getByRole('complementary', { name: /What happens on the wire/ }).getByRole('listitem');

/** The colour of the last such text in the panel, as one word. */
async function colourOf(page: Page, text: string): Promise<string> {
  const colour = await calls(page)
    .getByText(text, { exact: true })
    .last()
    .evaluate((element) => getComputedStyle(element).color);
  const [red = 0, green = 0, blue = 0] = colour.match(/\d+/g)?.map(Number) ?? [];
  if (green > red) return 'green';
  // Amber lies between red and yellow: its green is well above its blue.
  return 3 * (green - blue) > red - blue ? 'amber' : 'red';
}

for (const colorScheme of ['light', 'dark'] as const)
  test(`a refusal is amber, and the trouble of a server is red: ${colorScheme}`, async ({
    app,
    page,
    world,
  }) => {
    await page.emulateMedia({ colorScheme });
    await app.open();
    const code = await app.requestCode(PHONE);
    await app.enterCode('000000');
    await app.isTold('That code is not right');
    expect(await colourOf(page, 'otp_wrong (-35000)')).toBe('amber');
    world.proxies.clientToEhr.cut(true);
    await app.enterCode(code);
    await app.isTold('The records server cannot be reached');
    expect(await colourOf(page, 'not reached')).toBe('red');
    world.proxies.clientToEhr.cut(false);
    await app.press('Try again');
    await app.sees('Find your record');
    expect(await colourOf(page, 'not_authorized (-33000)')).toBe('amber');
    expect(await colourOf(page, 'ok')).toBe('green');
  });

test('logging out is quiet: no question, no alarm, every call is ok', async ({ app, page }) => {
  await app.open();
  await app.enterCode(await app.requestCode(PHONE));
  await app.findRecord(anna);
  await app.seesRecordOf(anna);
  const before = await calls(page).count();
  await app.press('Log out');
  await app.sees('You are logged out');
  await expect(page.getByText('Your records stay connected to your account')).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('alert')).toHaveCount(0);
  const ended = (await calls(page).all()).slice(before);
  expect(ended).toHaveLength(2);
  for (const call of ended) await expect(call.getByText('ok', { exact: true })).toBeVisible();
});
