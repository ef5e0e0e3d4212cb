/** The web client in the language of the browser, and in another one that the reader chooses. */
import type { Page } from '@playwright/test';
import { failureMessage } from '#mock-client/messages.ts';
import { sayIn } from '#mock-client/texts/texts.ts';
import { violationsOn } from '#testing/accessibility.ts';
import { anna } from '#testing/people.ts';
import { otherCode } from './app.ts';
import { expect, test } from './test.ts';

const PHONE = '79991112233';
/** Words that only the English page has. */
const ENGLISH = /\b(?:the|your|with|sign|code is|calls)\b/i;

async function isReadable(page: Page): Promise<void> {
  expect(await violationsOn(page)).toEqual([]);
  expect(
    await page
      .locator('main, header, footer')
      .allInnerTexts()
      .then((texts) => texts.join('\n')),
  ).not.toMatch(ENGLISH);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
    page.viewportSize()?.width ?? 0,
  );
}

for (const [language, locale, heading, born] of [
  ['ru', 'ru-RU', 'Найдём вашу медкарту', '12 апреля 1985'],
] as const)
  test.describe(locale, () => {
    test.use({ locale, viewport: { width: 390, height: 844 } });

    test(`from the sign-in to the record in the language of the browser: ${locale}`, async ({
      page,
      world,
    }) => {
      const say = sayIn(language);
      const press = (key: Parameters<typeof say>[0]) =>
        page.getByRole('button', { name: say(key), exact: true }).click();
      await page.goto(world.client?.url ?? '');
      await expect(page).toHaveTitle(say('title'));
      await expect(page.locator('html')).toHaveAttribute('lang', language);
      await isReadable(page);
      await press('sendCode');
      await expect(page.getByRole('alert')).toHaveText(say('mistakePhoneMissing'));
      await page.locator('[name=phone]').fill(PHONE);
      await press('sendCode');
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(say('enterCode'));
      await isReadable(page);
      await page.locator('[name=code]').fill(world.auth.latestMessage(PHONE)?.code ?? '');
      await press('confirm');
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
      const fill = async (values: Record<string, string>) => {
        for (const [name, value] of Object.entries(values)) await page.locator(`[name=${name}]`).fill(value);
      };
      await fill({ name: 'Olga', surname: anna.surname, date: anna.date.slice(0, 10), phone: anna.phone });
      await press('findIt');
      const notFound = {
        kind: 'refused',
        server: 'ehr',
        reason: 'patient_not_matched',
        code: 0,
        errors: [],
      } as const;
      const told = failureMessage({ ...notFound, errors: [], ehr: undefined }, language);
      await expect(page.getByRole('alert')).toContainText(told.text);
      await isReadable(page);
      await fill({ name: anna.name });
      await press('findIt');
      await expect(page.getByRole('article', { name: say('yourRecord') })).toContainText(born);
      await isReadable(page);
      await press('disconnect');
      await expect(page.getByRole('dialog', { name: say('disconnectTitle') })).toBeVisible();
      await page.keyboard.press('Escape');
      await press('logOut');
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(say('loggedOut'));
    });
  });

test('the language that is chosen is kept, and told at once what is wrong', async ({ app, page }) => {
  await app.open();
  await app.press('Send code');
  await app.isTold('Enter your phone number.');
  await page.getByLabel('Language').selectOption('ru');
  await app.sees('Вход');
  await app.isTold(sayIn('ru')('mistakePhoneMissing'));
  await page.reload();
  await app.sees('Вход');
  await expect(page.locator('html')).toHaveAttribute('lang', 'ru');
});

test('another tab follows the choice', async ({ app, page, context }) => {
  await app.open();
  const other = await context.newPage();
  await other.goto(page.url());
  await other.getByLabel('Language').selectOption('ru');
  await app.sees('Вход');
});

test.describe('a browser of another language', () => {
  test.use({ locale: 'fr-FR' });
  test('is answered in English', async ({ app }) => {
    await app.open();
  });
});

test('a wrong code stays told in the language that is chosen then', async ({ app, page }) => {
  await app.open();
  const code = await app.requestCode(PHONE);
  let answer: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/*', async (route) => {
    if (route.request().postData()?.includes('auth.confirm_otp')) await asked;
    await route.continue();
  });
  await app.enterCode(otherCode(code));
  await expect(page.getByText('One moment…')).toBeVisible();
  answer();
  await app.isTold('That code is not right');
  await page.getByLabel('Language').selectOption('ru');
  await app.sees(sayIn('ru')('enterCode'));
  await page.getByLabel('Язык').selectOption('en');
  await app.enterCode(code);
  await app.sees('Find your record');
});
