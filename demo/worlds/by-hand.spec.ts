/** The console in the hands of a person, in a real browser against a real demo: clicks, drags and keys. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import type { ClockState, Moment } from '#console/api.ts';
import type { Consoles } from '#console/server/open-console.ts';
import { ask, calls, clientIn, expect, open, play, test } from './testing/worlds-test.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

test.describe.configure({ mode: 'default', timeout: 120_000 });
test.use({ viewport: { width: 1600, height: 900 } });

const clock = (worlds: Consoles) => ask<ClockState>(worlds, 'clock');
const aheadMs = async (worlds: Consoles) => (await clock(worlds)).offsetMs;
const texts = (page: Page) =>
  page.getByRole('region', { name: 'Messages to the phone' }).getByRole('listitem');
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first();

test('a message is a curl that can be sent, and a HAR', async ({ page, worlds, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(page, worlds);
  await play(worlds, 'first-link', 6);
  await page.getByRole('checkbox', { name: /^Show secrets/ }).check();
  await calls(page, 'get_patient').last().click();
  const details = page.getByRole('region', { name: 'Details' });
  await expect(details).toContainText('Petrova');
  await details.getByRole('button', { name: /curl/ }).click();
  await expect(details.getByText('Copied')).toBeVisible();
  const command = await page.evaluate(() => navigator.clipboard.readText());
  const { stdout } = await promisify(execFile)('bash', ['-c', `${command} -sS --max-time 20`]);
  expect(JSON.parse(stdout).result.patient).toMatchObject({ surname: 'Petrova' });
  await page.getByRole('checkbox', { name: /^Show secrets/ }).uncheck();
  await expect(details).not.toContainText('Petrova');
  const saving = page.waitForEvent('download');
  await details.getByRole('button', { name: /HAR/ }).click();
  const har = readFileSync(await (await saving).path(), 'utf8');
  const [entry] = JSON.parse(har).log.entries;
  expect(JSON.parse(entry.request.postData.text).method).toBe('patient.get_patient');
  expect(har).not.toContain('Petrova');
});

test('the clock is dragged, and passes ends of token and session by clicks', async ({ page, worlds }) => {
  await open(page, worlds);
  await play(worlds, 'first-link', 5);
  const slider = page.getByRole('slider', { name: 'Move the clock forward' });
  const box = await slider.boundingBox();
  const { x = 0, y = 0, width = 0, height = 0 } = box ?? {};
  await page.mouse.move(x + 8, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width / 2, y + height / 2, { steps: 4 });
  await expect(page.getByRole('status').filter({ hasText: 'forward by' })).toContainText(/forward by [3-7]:/);
  await page.mouse.up();
  await expect.poll(() => aheadMs(worlds)).toBeGreaterThan(3 * MINUTE_MS);
  expect(await aheadMs(worlds)).toBeLessThan(8 * MINUTE_MS);

  await button(page, 'Time…').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Past the session’s end' }).click();
  await expect.poll(() => aheadMs(worlds)).toBeGreaterThan(DAY_MS - MINUTE_MS);
  await expect(dialog.getByRole('button', { name: 'Past the session’s end' })).toBeDisabled();
  const before = await aheadMs(worlds);
  await dialog.getByRole('button', { name: '+1 day' }).click();
  await expect.poll(() => aheadMs(worlds)).toBe(before + DAY_MS);
  for (const [party, seconds] of [
    ['Authorization server', '1.5'],
    ['EHR server', '-2'],
  ] as const) {
    await dialog.getByRole('spinbutton', { name: party }).fill(seconds);
    await dialog.getByRole('spinbutton', { name: party }).press('Enter');
  }
  await expect
    .poll(async () => (await clock(worlds)).skewMs)
    .toEqual({ client: 0, auth: 1_500, ehr: -2_000 });
  await page.keyboard.press('Escape');
  await expect(page.locator('.head.of-ehr')).toContainText('−2 s');
});

test('one’s own client has its address and its QR code in the lanes', async ({ page, worlds, context }) => {
  await open(page, worlds);
  await button(page, 'your own client').click();
  const { client = '' } = worlds.worlds[0]?.addresses ?? {};
  await expect(page.getByRole('img', { name: `QR: ${client}` })).toBeVisible();
  await page.keyboard.press('Escape');
  const own = await context.newPage();
  await own.goto(client);
  await own.getByLabel('Phone').fill('79990000008');
  await own.getByLabel('Phone').press('Enter');
  await own.getByLabel('Code').waitFor();
  await expect(calls(page, 'request_otp').filter({ hasText: 'boris' })).toBeVisible();
  await own.close();
});

test('text messages come late, are lost, come twice, and change places', async ({ page, worlds }) => {
  await open(page, worlds);
  const trouble = page.getByRole('combobox', { name: 'Trouble with messages' });
  const sent = texts(page);
  const send = async (kind: string, phones: readonly string[]) => {
    await trouble.selectOption(kind);
    await expect
      .poll(() => ask<{ textTrouble: object }>(worlds, 'overview'))
      .toMatchObject({ textTrouble: { kind } });
    for (const phone of phones) await callAuth(worlds, 'auth.request_otp', { phone });
  };
  await send('late', ['79990000011']);
  await expect(trouble).toHaveValue('none');
  await expect(sent).toHaveCount(0);
  await ask(worlds, 'clock', { advanceMs: MINUTE_MS });
  await expect(sent).toContainText(['79990000011']);
  await send('lost', ['79990000012']);
  await expect(trouble).toHaveValue('none');
  await send('doubled', ['79990000013']);
  await expect(sent).toContainText(['79990000013', '79990000013', '79990000011']);
  await send('outOfOrder', ['79990000014', '79990000015']);
  await expect(sent).toContainText(['79990000014', '79990000015', '79990000013']);
});

test('a card tells who a person is and fills what they would type', async ({ page, worlds }) => {
  await open(page, worlds);
  const client = clientIn(page);
  await button(page, 'Ivan, Oleg').click();
  await expect(page.getByRole('region', { name: 'People' })).toContainText('The given name decides');
  await client.getByLabel('Phone').press('Enter');
  await button(page, /^Fill in the code/).click();
  await client.getByLabel('Code').press('Enter');
  await expect(client.locator('[name=name]')).toHaveValue('Ivan');
  await button(page, /Oleg Sidorov/).click();
  await expect(client.locator('[name=name]')).toHaveValue('Oleg');
  await client.locator('[name=name]').press('Enter');
  await page.getByRole('tab', { name: 'State' }).click();
  await expect(page.getByRole('table', { name: /EHR server · links/ })).toContainText('oleg');
});

test('a scenario is handed over amid its steps, and goes on by hand', async ({ page, worlds }) => {
  await open(page, worlds);
  await page.getByRole('combobox', { name: 'Scenario' }).selectOption('returning-user');
  const step = page.getByRole('banner').getByRole('button', { name: 'Step' });
  const scenario = page.getByRole('region', { name: 'Scenario', exact: true });
  for (let made = 1; made <= 4; made++) {
    await step.click();
    await expect(scenario).toContainText(`Step ${made} of 7`);
  }
  await expect(clientIn(page).getByLabel('Phone')).toHaveCount(0);
  await button(page, 'Take over').click();
  await expect(scenario).toHaveCount(0);
  // A link made now plays the steps that led here.
  expect(await ask<Moment>(worlds, 'moment')).toMatchObject({ scenario: 'returning-user', step: 4 });
  await ask(worlds, 'clock', { advanceMs: MINUTE_MS });
  const client = clientIn(page);
  // The session of the script goes on in the client's page.
  await expect(client.getByText('A-1001').first()).toBeVisible();
  await client.getByRole('button', { name: 'Log out' }).click();
  await client.getByRole('button', { name: /^Sign in/ }).click();
  await button(page, 'Anna').click();
  await client.getByLabel('Phone').press('Enter');
  await expect(texts(page)).toHaveCount(2);
  await button(page, /^Fill in the code/).click();
  await client.getByLabel('Code').press('Enter');
  await expect(client.getByText('A-1001').first()).toBeVisible();
});

/** Calls the authorization server as a client would, over its wire. */
async function callAuth(worlds: Consoles, method: string, params: object): Promise<void> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const url = worlds.worlds[0]?.addresses.auth ?? '';
  await fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
}
