/** Answers of a server that are no answers: the page names the server, blames nobody, and goes on. */
import type { Page, Route } from '@playwright/test';
import { serverWords } from '#mock-client/texts/failures.ts';
import { type Language, languageNames } from '#mock-client/texts/language.ts';
import { sayIn } from '#mock-client/texts/texts.ts';
import { violationsOn } from '#testing/accessibility.ts';
import { expect, test } from './test.ts';

const PHONE = '79991112233';

/** What comes instead of the reply to the call `id`. Undefined: the connection breaks. */
type NoAnswer = (id: unknown) => { status?: number; body: string } | undefined;

const rpc = (id: unknown, rest: object) => ({ body: JSON.stringify({ jsonrpc: '2.0', id, ...rest }) });
const noAnswers: [what: string, NoAnswer][] = [
  ['HTML', () => ({ body: '<!doctype html><title>It works!</title>' })],
  ['nothing', () => ({ body: '' })],
  ['half of it', () => ({ body: '{"jsonrpc":"2.0","resu' })],
  ['the reply to another call', () => rpc('0', { result: {} })],
  ['a result of wrong types', (id) => rpc(id, { result: { digits: 'six', patient: [], user_sign: 7 } })],
  ['an error of wrong types', (id) => rpc(id, { error: { code: 'E7', message: null } })],
  ['HTTP 502', () => ({ status: 502, body: '<h1>Bad Gateway</h1>' })],
  ['a failure of its own', (id) => rpc(id, { error: { code: -32603, message: 'x' } })],
  ['no reply', () => undefined],
];

/** Lets the server at `url` answer each call in that way, until the returned function is called. */
async function answering(page: Page, url: string, answer: NoAnswer): Promise<() => Promise<void>> {
  const at = `${url}/**`;
  const handler = async (route: Route) => {
    const request = route.request();
    const given = answer((request.postDataJSON() as { id: unknown }).id);
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

for (const language of ['en', 'ru'] as const)
  test(`what is no answer is told as the server’s trouble: ${languageNames[language]}`, async ({
    app,
    page,
    world,
  }) => {
    const say = sayIn(language);
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    const isTold = async (server: 'auth' | 'ehr', what: string) => {
      const alert = page.getByRole('alert');
      await expect(alert, what).toContainText(wordsOf(language, server));
      await expect(alert, what).toBeFocused();
      await expect(page.locator('[aria-invalid]'), what).toHaveCount(0);
    };
    await app.open();
    await page.getByRole('combobox', { name: 'Language' }).selectOption(language);
    await page.getByLabel(say('phone')).fill(PHONE);
    for (const [what, answer] of noAnswers) {
      const mend = await answering(page, world.proxies.clientToAuth.url, answer);
      await press(say('sendCode'));
      await isTold('auth', what);
      await expect(page.getByRole('heading', { level: 1 }), what).toHaveText(say('signIn'));
      await mend();
    }
    expect(await violationsOn(page)).toEqual([]);
    await press(say('sendCode'));
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(say('enterCode'));
    await page.getByLabel(say('code'), { exact: true }).fill(world.auth.latestMessage(PHONE)?.code ?? '');
    for (const [what, answer] of noAnswers) {
      const mend = await answering(page, world.proxies.clientToEhr.url, answer);
      await press(say(what === noAnswers[0]?.[0] ? 'confirm' : 'tryAgain'));
      await isTold('ehr', what);
      await expect(page.getByRole('heading', { level: 1 }), what).toHaveText(say('opening'));
      await mend();
    }
    await press(say('tryAgain'));
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(say('findRecord'));
  });

/** The server as the page calls it, at the beginning of a sentence or within one. */
function wordsOf(language: Language, server: 'auth' | 'ehr'): RegExp {
  const { server: name, atServer } = serverWords[language][server];
  return new RegExp(`${name}|${atServer}`, 'i');
}
