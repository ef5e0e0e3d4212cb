/** The web client in the language of the browser, and in another one that the reader chooses. */
import type { Page } from '@playwright/test';
import { refused } from '#mock-client/flow/testing/walk.ts';
import { failureMessage } from '#mock-client/texts/messages.ts';
import { sayIn } from '#mock-client/texts/texts.ts';
import { violationsOn } from '#testing/page.ts';
import { anna } from '#testing/people.ts';
import { expect, test } from './test.ts';

const PHONE = '79991112233';
const ENGLISH = /\b(?:the|your|with|sign|code is|calls)\b/i;

async function isReadable(page: Page): Promise<void> {
  // In English all rules are tried.
  expect(await violationsOn(page, { looksOnly: true })).toEqual([]);
  const texts = await page.locator('main, header, footer').allInnerTexts();
  expect(texts.join('\n')).not.toMatch(ENGLISH);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
    page.viewportSize()?.width ?? 0,
  );
}

test.use({ locale: 'ru-RU', viewport: { width: 390, height: 844 } });

test('the page is in the language of the browser, until another is chosen', async ({ app, page, world }) => {
  const say = sayIn('ru');
  const press = (key: Parameters<typeof say>[0]) =>
    page.getByRole('button', { name: say(key), exact: true }).click();
  await page.goto(world.client?.url ?? '');
  await expect(page).toHaveTitle(say('title'));
  await expect(page.locator('html')).toHaveAttribute('lang', 'ru');
  await isReadable(page);
  await press('sendCode');
  await expect(page.getByRole('alert')).toHaveText(say('mistakePhoneMissing'));
  await page.locator('[name=phone]').fill(PHONE);
  await press('sendCode');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(say('enterCode'));
  await isReadable(page);
  await page.locator('[name=code]').fill(world.auth.latestMessage(PHONE)?.code ?? '');
  await press('confirm');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Найдём вашу медкарту');
  const fill = async (values: Record<string, string>) => {
    for (const [name, value] of Object.entries(values)) await page.locator(`[name=${name}]`).fill(value);
  };
  await fill({ name: 'Olga', surname: anna.surname, date: anna.date.slice(0, 10), phone: anna.phone });
  await press('findIt');
  const told = failureMessage(refused('ehr', 'patient_not_matched'), 'ru');
  await expect(page.getByRole('alert')).toContainText(told.text);
  await isReadable(page);
  await fill({ name: anna.name });
  await press('findIt');
  await expect(page.getByRole('article', { name: say('yourRecord') })).toContainText('12 апреля 1985');
  await isReadable(page);
  await press('disconnect');
  await expect(page.getByRole('dialog', { name: say('disconnectTitle') })).toBeVisible();
  await page.keyboard.press('Escape');
  await press('logOut');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(say('loggedOut'));
  await page.getByLabel('Язык').selectOption('en');
  await app.sees('You are logged out');
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
});
