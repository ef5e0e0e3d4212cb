import { expect, type Page, type TestInfo, test } from '@playwright/test';
import { violationsOn } from '#testing/page.ts';
import { scenarioOf } from '../../journal/attribution.ts';
import { fakeReport, fakeRun } from '../testing/fake-run.ts';
import { hostile } from '../testing/hostile.ts';
import { openReport } from '../testing/pages.ts';
import { htmlOf, pageOf } from './page.ts';

const fake = fakeRun({ crowd: 2 });

/** A report with one check of each outcome: a page of all would take a slow machine minutes. */
function smallPage(): string {
  const checks = [
    'auth-info-ttl',
    'wrong-code-refused',
    'answer-in-time',
    'exchange-token-ehr-first',
    'no-correspondence',
  ];
  const scenarios = ['first-link', 'returning-user', 'wrong-codes', 'exchange-token-trouble', 'deletion'];
  const entries = fake.run.entries.filter((entry) => scenarios.includes(scenarioOf(entry) ?? ''));
  const verdicts = fake.verdicts.filter(({ check }) => checks.includes(check));
  const run = { ...fake.run, entries };
  return htmlOf(fakeReport({ ...fake, run, verdicts }));
}

const whole = htmlOf(fakeReport(fake));

/** Opens a report; that of the whole invented run unless given. */
const open = (page: Page, info: TestInfo, text = whole) => openReport(page, info, text);

const LOOKS = [
  [{ width: 360, height: 740 }, 'dark'],
  [{ width: 1400, height: 900 }, 'light'],
] as const;

test('the report is accessible in both looks, nothing is cut off or loaded', async ({ page }, info) => {
  const [[narrow]] = LOOKS;
  await page.setViewportSize(narrow);
  const complaints = await open(page, info, smallPage());
  await expect(page.locator('#check-auth-info-ttl .scene .sequence').first()).toBeVisible();
  await page.locator('#scenario-first-link > summary').click();
  await page.locator('#scenario-first-link').getByRole('link', { name: /otp/ }).first().click();
  for (const [viewport, colorScheme] of LOOKS) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    // The rows of requirements are alike, and all of them take longer than the rest of the page.
    const without = 'tr.row:nth-child(n+12)';
    expect(await violationsOn(page, { without, looksOnly: viewport !== narrow }), colorScheme).toEqual([]);
    const beyond = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;
    expect(await page.evaluate(beyond), colorScheme).toBeLessThanOrEqual(0);
  }
  expect(complaints).toEqual([]);
});

test('the outcomes are filtered with the keyboard alone, checks and requirements alike', async ({
  page,
}, info) => {
  await open(page, info);
  const shown = page.locator('.card[id^="check-"]:visible');
  await expect(shown).toHaveCount(18);
  await page.getByRole('radio', { name: 'all' }).focus();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('radio', { name: 'failed' })).toBeChecked();
  await expect(shown).toHaveCount(2);
  await expect(page.locator('tr.row:visible')).toHaveCount(2);
  await page.keyboard.press('ArrowDown');
  await expect(shown).toHaveCount(1);
});

test('a message opens by click and keyboard, with its request as a curl', async ({ page }, info) => {
  await open(page, info);
  const card = page.locator('#check-answer-in-time');
  await card.locator('> summary').click();
  const group = card.locator('.scene .group', { hasText: 'while: hang' });
  await group
    .getByRole('link', {
      name: /save_exchange_token; answer: connection closed early, fault on purpose: hang/,
    })
    .click();
  await expect(group.locator('.body', { hasText: '"exchangeToken"' })).toBeVisible();
  await group.getByRole('link', { name: /POST \/api\/v1\/exchange-token; answer: HTTP 500/ }).focus();
  await page.keyboard.press('Enter');
  await expect(group.getByText('"Internal Server Error"')).toBeVisible();
  await group.locator('.message > summary').first().click();
  await expect(group.locator('.body', { hasText: '"exchangeToken"' })).toBeHidden();

  await group.getByRole('link', { name: /save_exchange_token; answer: connection closed early/ }).click();
  const message = card.locator('.scene .message[open]', { hasText: 'save_exchange_token' });
  await message.getByText('curl', { exact: true }).click();
  await expect(message.locator('.again pre')).toContainText(/^curl -X POST 'http:.*--data-raw '\{"jsonrpc"/s);
});

test('a link shows what is hidden or closed; all cards open and close', async ({ page }, info) => {
  await open(page, info);
  const opened = page.locator('#checks .card[open]');
  await expect(opened).toHaveCount(3);
  await page.getByRole('radio', { name: 'failed' }).check();
  await page.locator('#check-auth-info-ttl a[href="#scenario-returning-user"]').first().click();
  await expect(page.locator('#scenario-returning-user')).toHaveAttribute('open', '');
  await page.evaluate(() => {
    location.hash = 'check-digest-shape';
  });
  await expect(page.locator('#check-digest-shape > .inside')).toBeVisible();
  await expect(page.getByRole('radio', { name: 'all' })).toBeChecked();
  await page.reload();
  await expect(page.locator('#check-digest-shape > summary')).toBeInViewport();
  await page.evaluate(() => {
    location.hash = 'm3';
  });
  await expect(page.locator('#scenario-first-link .message[data-seq="3"] .body').first()).toBeVisible();
  await page.locator('#checks').getByRole('button', { name: 'Open all' }).click();
  await expect(opened).toHaveCount(18);
  await page.locator('#checks').getByRole('button', { name: 'Close all' }).click();
  await expect(opened).toHaveCount(0);
});

test('text from the wire stays text in a browser', async ({ page }, info) => {
  const complaints = await open(page, info, htmlOf(hostile(fakeReport(fake))));
  await page.locator('#checks').getByRole('button', { name: 'Open all' }).click();
  await page.locator('#scenarios').getByRole('button', { name: 'Open all' }).click();
  await page.locator('#scenarios .arrow.call').first().click();
  await expect(page.locator('#scenarios .message .body').first()).toBeVisible();
  expect(await page.evaluate(() => Reflect.get(globalThis, 'harmed'))).toBeUndefined();
  expect(await page.locator('img, script, style').count()).toBe(1);
  await expect(page.locator('h1')).toContainText('<script>');
  expect(complaints).toEqual([]);
});

test('a matrix is a table with the reasons below it', async ({ page }, info) => {
  const about = { verdict: '1 does not work', isGreen: false, sentence: '1 of 2 combinations.' };
  const table = { head: ['Client', 'Auth', 'EHR'], rows: [['a', 'b', '✗ 1 failed']] };
  const matrix = { ...about, ...table, lists: [{ title: 'Left out', lines: ['<b>'] }] };
  expect(await open(page, info, pageOf({ title: 'Matrix', sentence: '', shown: { matrix } }))).toEqual([]);
  await expect(page.locator('.verdict.fail')).toHaveText('1 does not work');
  await expect(page.getByRole('row').last()).toHaveText('ab✗ 1 failed');
  await expect(page.getByText('<b>', { exact: true })).toBeVisible();
});

const played = htmlOf(fakeReport(fake, { playAlone: (check) => `play --only ${check}` }));

const shown = (page: Page, what: string) => page.locator(`${what}:visible`);

test('a search leaves what has all of its words, and counts it', async ({ page }, info) => {
  await openReport(page, info, played);
  const field = page.getByRole('searchbox', { name: 'Search' });
  await expect(field).toBeVisible();
  await page.keyboard.press('/');
  await expect(field).toBeFocused();
  // The words stand in what the card shows when it is opened.
  await page.keyboard.type('STRING "86400"');
  await expect(shown(page, '.card[id^="check-"]')).toHaveCount(1);
  await expect(page.locator('#check-auth-info-ttl > summary')).toBeVisible();
  await expect(page.getByRole('status')).toHaveText('1 check');
  await field.fill('first-link');
  await expect(page.locator('#scenario-first-link > summary')).toBeVisible();
  await expect(page.locator('#scenario-crowd > summary')).toBeHidden();
  await field.fill('no such words');
  await expect(page.getByRole('status')).toHaveText('Nothing found.');
  await expect(shown(page, 'tr.row')).toHaveCount(0);
  await field.fill('');
  await expect(shown(page, '.card[id^="check-"]')).toHaveCount(18);
  await expect(page.getByRole('status')).toHaveText('');
});

test('search and outcome both filter, and a link shows what they hide', async ({ page }, info) => {
  await openReport(page, info, played);
  await page.getByRole('searchbox').fill('ttl');
  await page.getByRole('radio', { name: 'warning' }).check();
  await expect(shown(page, '.card[id^="check-"]')).toHaveCount(0);
  await page.getByRole('radio', { name: 'failed' }).check();
  await expect(shown(page, '.card[id^="check-"]')).toHaveCount(1);
  await page.evaluate(() => {
    location.hash = 'check-digest-shape';
  });
  await expect(page.locator('#check-digest-shape > .inside')).toBeVisible();
  await expect(page.getByRole('searchbox')).toHaveValue('');
});

test('a red card on paper shows its facts and its command', async ({ page }, info) => {
  await openReport(page, info, played);
  const card = page.locator('#check-session-dead-after-logout');
  await card.locator('> summary').click();
  await expect(card).not.toHaveAttribute('open');
  await page.emulateMedia({ media: 'print' });
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  await expect(card.getByText('a refusal, and no call to the EHR server')).toBeVisible();
  await expect(card.getByText('play --only session-dead-after-logout')).toBeVisible();
  await expect(page.getByRole('searchbox')).toHaveCount(0);
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  await expect(card).not.toHaveAttribute('open');
});
