/** The page "Messages" in a real browser. */
import { expect, type Page } from '@playwright/test';
import { type MovableClock, manualClock } from '#protocol/time/clock.ts';
import { seededRandom } from '#protocol/time/random.ts';
import { callText } from '#protocol/wire/envelope.ts';
import { createLog } from '#service/process/log.ts';
import { test as base, violationsOn } from '#testing/page.ts';
import type { AuthConfig } from '../config.ts';
import { type AuthServer, createAuthServer } from '../index.ts';
import { ANNA, ANNA_MAIL, testConfig } from '../testing/config.ts';

type PageParties = { clock: MovableClock; server: AuthServer };

const start = (clock: MovableClock, config: Partial<AuthConfig> = {}) =>
  createAuthServer({
    config: testConfig(config),
    clock,
    random: seededRandom(3),
    log: createLog('auth-server', 'silent'),
  });

const test = base.extend<PageParties>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the dependencies from the pattern.
  clock: async ({}, use) => use(manualClock()),
  server: async ({ clock }, use) => {
    const server = await start(clock);
    await use(server);
    await server.stop();
  },
});

/** Request a code and return it. */
async function send(server: AuthServer, params: { phone: string } | { email: string }): Promise<string> {
  const body = callText({ id: 1, method: 'auth.request_otp', params });
  await fetch(server.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  return server.outbox.list()[0]?.code ?? '';
}

const messages = (page: Page) =>
  page.getByRole('list', { name: 'Messages, newest first' }).getByRole('listitem');

test.describe('on a translated page', () => {
  test.use({ translated: true });

  test('a message appears as it is sent, newest first, and is announced', async ({ page, server, clock }) => {
    await page.goto(server.url);
    await expect(page.getByText('Connected', { exact: true })).toBeVisible();
    await expect(page.getByRole('heading', { name: 'No messages yet' })).toBeVisible();
    const first = await send(server, { phone: ANNA });
    await expect(messages(page)).toHaveCount(1);
    await expect(page.getByRole('heading', { name: 'No messages yet' })).toBeHidden();
    clock.advance(30_000);
    const second = await send(server, { phone: ANNA });
    await expect(messages(page)).toHaveCount(2);
    await expect(messages(page).first()).toContainText(second);
    await expect(messages(page).last()).toContainText(first);
    await expect(page.getByRole('status')).toHaveText(
      `New message to ${ANNA}: the code is ${[...second].join(' ')}.`,
    );
    await page.reload();
    await expect(messages(page)).toHaveCount(2);
  });
});

test('the key for copying takes the newest code that is shown', async ({ page, server, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const first = await send(server, { phone: ANNA });
  await page.goto(server.url);
  await expect(messages(page)).toHaveCount(1);
  const second = await send(server, { email: ANNA_MAIL });
  await expect(messages(page)).toHaveCount(2);
  await expect(page.getByText('Ctrl+C copies the newest code.')).toBeVisible();
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await page.keyboard.press('ControlOrMeta+C');
  await expect(page.getByRole('button', { name: `Copied code ${second}` })).toBeVisible();
  await expect(page.getByRole('status')).toHaveText(`Code ${[...second].join(' ')} copied.`);
  expect(await copied()).toBe(second);
  await page.getByLabel('Only messages to').fill(ANNA);
  await expect(messages(page)).toHaveCount(1);
  await page.getByRole('heading', { name: 'Messages', exact: true }).click();
  await page.keyboard.press('ControlOrMeta+C');
  await expect(page.getByRole('button', { name: `Copied code ${first}` })).toBeVisible();
  expect(await copied()).toBe(first);
});

test('where the browser forbids copying, the code is marked instead', async ({ page, server }) => {
  const code = await send(server, { phone: ANNA });
  await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
  await page.goto(server.url);
  await page.getByRole('button', { name: `Copy code ${code}` }).click();
  await expect(page.getByRole('button', { name: `Marked code ${code}` })).toBeVisible();
  expect(await page.evaluate(() => getSelection()?.toString())).toBe(code);
});

test('the filter shows one recipient, in any notation, and is kept in the address', async ({
  page,
  server,
}) => {
  await send(server, { phone: ANNA });
  await send(server, { email: ANNA_MAIL });
  await page.goto(server.url);
  await expect(messages(page)).toHaveCount(2);
  const filter = page.getByLabel('Only messages to');
  await filter.fill('+7 (999) 000');
  await expect(messages(page)).toHaveCount(1);
  await expect(messages(page)).toContainText(ANNA);
  await filter.fill('Anna.');
  await expect(messages(page)).toContainText(ANNA_MAIL);
  await page.reload();
  await expect(filter).toHaveValue('Anna.');
  await expect(messages(page)).toHaveCount(1);
  await send(server, { phone: '79990000002' });
  await filter.fill('nobody');
  await expect(page.getByRole('heading', { name: 'No message to this recipient' })).toBeVisible();
  await filter.fill('');
  await expect(messages(page)).toHaveCount(3);
});

test('a lost server is named, and what the next one has is shown', async ({ page, server, clock }) => {
  await send(server, { phone: ANNA });
  await send(server, { email: ANNA_MAIL });
  await page.goto(server.url);
  await expect(messages(page)).toHaveCount(2);
  await server.stop();
  await expect(page.getByText('Not connected, trying again')).toBeVisible();
  await expect(page.getByRole('status')).toHaveText('The connection was lost.');
  const next = await start(clock, { port: server.port });
  try {
    await expect(page.getByText('Connected', { exact: true })).toBeVisible();
    await expect(messages(page)).toHaveCount(0);
    const code = await send(next, { phone: '79990000002' });
    await expect(messages(page)).toContainText(code);
  } finally {
    await next.stop();
  }
});

test('the page is accessible and nowhere cut off in both looks', async ({ page, server }) => {
  const widthBeyond = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 320, height: 568 });
  await page.goto(server.url);
  await expect(page.getByText('Connected', { exact: true })).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);
  await send(server, { phone: ANNA });
  await send(server, { email: `${'long.'.repeat(8)}name@hospital.example.org` });
  await expect(messages(page)).toHaveCount(2);
  for (const [colorScheme, viewport] of [
    ['dark', { width: 320, height: 568 }],
    ['light', { width: 1280, height: 900 }],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport);
    expect(await violationsOn(page, { looksOnly: colorScheme === 'light' }), colorScheme).toEqual([]);
    expect(await page.evaluate(widthBeyond), colorScheme).toBeLessThanOrEqual(0);
    const last = page.getByRole('button', { name: /^Copy code/ }).last();
    await last.scrollIntoViewIfNeeded();
    await expect(last).toBeInViewport();
  }
});

test('the whole page is used by keyboard', async ({ page, server, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const code = await send(server, { phone: ANNA });
  await page.goto(server.url);
  await expect(messages(page)).toHaveCount(1);
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('Language')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('Only messages to')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: `Copy code ${code}` })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: `Copied code ${code}` })).toBeFocused();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(code);
});

test.describe('in a Russian browser', () => {
  test.use({ locale: 'ru-RU' });

  test('the page speaks the language of the browser, or the chosen one', async ({ page, server }) => {
    await page.goto(server.url);
    await expect(page).toHaveTitle('Сообщения');
    await expect(page.locator('html')).toHaveAttribute('lang', 'ru');
    await expect(page.getByText('На связи', { exact: true })).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Сообщений пока нет' })).toBeVisible();
    const code = await send(server, { phone: ANNA });
    await expect(page.getByRole('button', { name: 'Копировать код' })).toBeVisible();
    await expect(page.getByRole('status')).toContainText([...code].join(' '));
    expect(await violationsOn(page)).toEqual([]);

    await page.locator('#language').selectOption('en');
    await expect(page.getByRole('button', { name: `Copy code ${code}` })).toBeVisible();
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Messages', exact: true })).toBeVisible();
  });
});
