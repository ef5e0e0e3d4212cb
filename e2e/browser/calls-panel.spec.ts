/** The colours of the panel of calls: amber for a refusal, red for trouble alone. */
import type { Page } from '@playwright/test';
import { expect, test } from './test.ts';

const PHONE = '79991112233';

/** The panel is open beside the page. */
test.use({ viewport: { width: 1280, height: 900 } });

const calls = (page: Page) =>
  page.getByRole('complementary', { name: /What happens on the wire/ }).getByRole('listitem');

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

test('a refusal is amber, and the trouble of a server red, in both colours', async ({ app, page, world }) => {
  await app.open();
  const code = await app.requestCode(PHONE);
  await app.enterCode('000000');
  await app.isTold('That code is not right');
  world.proxies.clientToEhr.cut(true);
  await app.enterCode(code);
  await app.isTold('The records server cannot be reached');
  world.proxies.clientToEhr.cut(false);
  await app.press('Try again');
  await app.sees('Find your record');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect([colorScheme, await colourOf(page, 'otp_wrong (-35000)')]).toEqual([colorScheme, 'amber']);
    expect([colorScheme, await colourOf(page, 'not reached')]).toEqual([colorScheme, 'red']);
    expect([colorScheme, await colourOf(page, 'not_authorized (-33000)')]).toEqual([colorScheme, 'amber']);
    expect([colorScheme, await colourOf(page, 'ok')]).toEqual([colorScheme, 'green']);
  }
});
