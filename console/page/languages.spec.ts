/** The page of the console in its languages, narrow and wide, light and dark: nobody is kept out. */
import { expect } from '@playwright/test';
import { addressOf } from '#protocol/site.ts';
import { line, open, test, violations } from './testing/console-test.ts';

// One browser for all of them.
test.describe.configure({ mode: 'default', timeout: 120_000 });
test.use({ viewport: { width: 1600, height: 900 } });

for (const [language, required, rule, party, clause] of [
  ['ru', 'сервер ЭМК принимает', '§1 правило 4', 'Сервер авторизации', 'Возвращает владельцу сеанса'],
  ['de', 'nimmt der EHR-Server an', '§1 Regel 4', 'Autorisierungsserver', 'Gibt dem Inhaber einer Sitzung'],
] as const)
  test(`a verdict and a clause are in the language of the page: ${language}`, async ({ page, fake }) => {
    await open(page, fake, language);
    await line(page, 10).click();
    const box = page.locator('.details-panel .clause.fail');
    await expect(box).toContainText(required);
    await expect(box).toContainText(rule);
    const links = await box
      .getByRole('link')
      .evaluateAll((all) =>
        all.map((link) => ['href', 'target', 'rel'].map((name) => link.getAttribute(name))),
      );
    const addresses = [
      addressOf.place('§1 rule 4'),
      addressOf.place('§3'),
      addressOf.check('calls-accepted'),
    ];
    expect(links).toEqual(addresses.map((address) => [address, '_blank', 'noreferrer']));
    await expect(box.getByRole('link', { name: required })).toHaveAttribute('lang', language);
    await expect(box.locator('dd', { hasText: party })).toHaveAttribute('lang', language);
    await expect(box.locator('dd').first()).toHaveAttribute('lang', 'en');
    await line(page, 4).click();
    await expect(page.locator('.details-panel .route')).toContainText(clause);
  });

test('the language is chosen on the page, kept, and told to the client', async ({ page, fake }) => {
  await open(page, fake);
  await page.getByLabel('Language').selectOption('de');
  await expect(page.getByRole('region', { name: 'Nachrichten der drei Leitungen' })).toBeVisible();
  // A scenario that has no words in this language keeps its English ones.
  const scenarios = page.getByLabel('Szenario').first().getByRole('option');
  await expect(scenarios).toHaveText([/^Szenario/, 'Die erste Verknüpfung', 'Exchange token at 9:59.999']);
  const kept = ['console-language', 'my-records.language'];
  expect(await page.evaluate((keys) => keys.map((key) => localStorage.getItem(key)), kept)).toEqual([
    'de',
    'de',
  ]);
});

for (const [width, colorScheme, language, said] of [
  [1600, 'light', 'en', 'Judged live: both servers'],
  [1024, 'dark', 'ru', 'Сразу проверяются оба сервера'],
  [390, 'dark', 'de', 'Laufend geprüft werden beide Server'],
] as const)
  test.describe(`${width} px wide, ${colorScheme}`, () => {
    test.use({ viewport: { width, height: 850 }, colorScheme });

    test(`nothing keeps anybody out, and nothing is cut off: ${width} px, ${colorScheme}, in ${language}`, async ({
      page,
      fake,
    }) => {
      await open(page, fake, language);
      await expect(page.locator('html')).toHaveAttribute('lang', language);
      fake.send('alarm', { message: 10, found: ['name in the body'] });
      await expect(page.locator('.alarm')).toBeVisible();
      await expect(page.locator('.clause.fail').first()).toBeAttached();
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press('3');
      await expect(page.getByText(said)).toBeAttached();
      expect(await violations(page)).toEqual([]);
      for (const key of ['w', '2', 'r']) await page.keyboard.press(key);
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press('Escape');
      if (width < 1_200) await page.locator('.view-button-controls').click();
      await page.locator('.record-bar .btn').nth(1).click();
      await expect(page.getByRole('dialog')).toBeVisible();
      expect(await violations(page)).toEqual([]);
    });
  });
