/** What goes wrong, and how the page tells it: it names the server, blames nobody, and goes on. */
import type { Page, Route } from '@playwright/test';
import { violationsOn } from '#testing/page.ts';
import { expect, test } from './test.ts';

const PHONE = '79991112233';

/** What comes instead of the reply to a call. Undefined: the connection breaks. */
type NoAnswer = { status?: number; body: string } | undefined;

/** One of each kind; what else is no answer is shown by the tests of the client's calls. */
const noAnswers: readonly NoAnswer[] = [
  { body: '<!doctype html><title>It works!</title>' },
  { status: 502, body: '<h1>Bad Gateway</h1>' },
  undefined,
];

/** Lets the server at `url` answer each call in that way, until the returned function is called. */
async function answering(page: Page, url: string, given: NoAnswer): Promise<() => Promise<void>> {
  const at = `${url}/**`;
  const handler = async (route: Route) => {
    if (!given) return route.abort('connectionreset');
    const headers = {
      'access-control-allow-origin': new URL(page.url()).origin,
      'access-control-allow-credentials': 'true',
    };
    return route.fulfill({ status: 200, contentType: 'application/json', headers, ...given });
  };
  await page.route(at, handler);
  return () => page.unroute(at, handler);
}

test('what is no answer is told as the server’s trouble', async ({ app, page, world }) => {
  const isTold = async (server: RegExp) => {
    const alert = page.getByRole('alert');
    await expect(alert).toContainText(server);
    await expect(alert).toBeFocused();
    await expect(page.locator('[aria-invalid]')).toHaveCount(0);
  };
  await app.open();
  await page.getByLabel('Phone number').fill(PHONE);
  for (const given of noAnswers) {
    const mend = await answering(page, world.proxies.clientToAuth.url, given);
    await app.press('Send code');
    await isTold(/the sign-in server/i);
    await app.sees('Sign in');
    await mend();
  }
  expect(await violationsOn(page)).toEqual([]);
  const code = await app.requestCode(PHONE);
  for (const [index, given] of noAnswers.entries()) {
    const mend = await answering(page, world.proxies.clientToEhr.url, given);
    await (index === 0 ? app.enterCode(code) : app.press('Try again'));
    await isTold(/the records server/i);
    await app.sees('Opening your record');
    await mend();
  }
  await app.press('Try again');
  await app.sees('Find your record');
});

const calls = (page: Page) =>
  page.getByRole('complementary', { name: /What happens on the wire/ }).getByRole('listitem');

/** The colour of a text in the panel of calls. */
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
  // The panel of calls is open beside the page.
  await page.setViewportSize({ width: 1280, height: 900 });
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

/** Its elements are moved, and it cannot be drawn any more. */
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
