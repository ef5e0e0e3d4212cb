/** Answers of a server that are no answers: the page names the server, blames nobody, and goes on. */
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
