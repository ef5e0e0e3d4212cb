/** What the console does for a person, in a real browser against real demos: two worlds of one process. */
import type { Page } from '@playwright/test';
import type { ClockState, Overview } from '#console/api.ts';
import type { Consoles } from '#console/server/open-console.ts';
import { personas } from '#mis-fixtures/personas.ts';
import { systemClock } from '#protocol/time/clock.ts';
import { violationsOn } from '#testing/accessibility.ts';
import { ask, calls, clientIn, expect, messages, open, play, test } from './testing/worlds-test.ts';

const ANNA = personas.anna;

test.describe.configure({ mode: 'default', timeout: 120_000 });
test.use({ viewport: { width: 1600, height: 900 } });

test('the lanes show each wire as Anna links by hand', async ({ page, worlds }) => {
  await open(page, worlds);
  const client = clientIn(page);
  await page.getByRole('button', { name: 'Anna', exact: true }).click();
  await expect(client.getByLabel('Phone')).toHaveValue(ANNA.signIn);
  await client.getByLabel('Phone').press('Enter');
  await page.getByRole('button', { name: /^Fill in the code/ }).click();
  await client.getByLabel('Code').press('Enter');
  await expect(client.locator('[name=surname]')).toHaveValue('Petrova');
  await client.locator('[name=surname]').press('Enter');
  for (const method of ['save_exchange_token', 'authenticate', 'save_auth_info'])
    await expect(calls(page, method).first()).toBeVisible();
  await expect(page.locator('.mark.pass').first()).toBeVisible();
  await page.getByRole('tab', { name: 'State' }).click();
  await expect(page.getByRole('table', { name: /EHR server · links/ })).toContainText('anna');
  await calls(page, 'authenticate').first().click();
  const lanes = await page.getByRole('region', { name: 'Messages of the three wires' }).innerText();
  const details = await page.getByRole('region', { name: 'Details' }).innerText();
  for (const canary of [ANNA.signIn, 'Petrova', '1985-04-12']) expect(lanes + details).not.toContain(canary);
});

test('clock and faults are set from the page and by curl alike', async ({ page, worlds }) => {
  await open(page, worlds);
  const begun = systemClock.now();
  for (const id of ['token-in-time', undefined])
    await ask(worlds, 'scenario', { do: 'step', ...(id && { id }) });
  await page.getByRole('button', { name: '1 s before the token ends' }).first().click();
  const movedMs = async () => (await clockOf(worlds)).offsetMs;
  await expect.poll(movedMs).toBeGreaterThan(0);
  expect(await movedMs()).toBeLessThanOrEqual(599_000);
  // The time that the steps took has passed by itself.
  expect((await movedMs()) + systemClock.now() - begun).toBeGreaterThanOrEqual(599_000);
  await page.getByRole('button', { name: 'Time…' }).click();
  await page.getByRole('spinbutton', { name: 'Client' }).fill('-5');
  await page.getByRole('spinbutton', { name: 'Client' }).press('Enter');
  await expect.poll(async () => (await clockOf(worlds)).skewMs.client).toBe(-5_000);
  await page.keyboard.press('Escape');
  await expect(page.locator('.head.of-client')).toContainText('−5 s');
  // While a script plays, no client is in the frame.
  await ask(worlds, 'scenario', { do: 'takeOver' });
  const { offsetMs } = await clockOf(worlds);
  const aheadMs = () =>
    page
      .frames()
      .find((frame) => frame.url().endsWith('/client/'))
      ?.evaluate('window.demoClockAheadMs');
  await expect.poll(aheadMs).toBe(offsetMs - 5_000);

  await ask(worlds, 'faults', { wire: 'client->ehr', fault: 'down', times: 'untilOff' });
  const chip = page.getByRole('button', { name: /^Trouble: Client → EHR server/ });
  await expect(chip).toContainText('down ∞');
  await ask(worlds, 'text-trouble', { kind: 'lost', times: 1 });
  await chip.click();
  await page
    .getByRole('button', { name: /^Switch off/ })
    .first()
    .click();
  await page.keyboard.press('Escape');
  await expect(chip).toContainText('healthy');
});

test('scenarios, snapshots and links: played, kept, put back, and opened in another demo', async ({
  page,
  worlds,
}) => {
  await open(page, worlds, 'two');
  await open(page, worlds);
  await page.getByRole('combobox', { name: 'Scenario' }).selectOption('first-link');
  await page.getByRole('combobox', { name: 'Pace' }).selectOption('at once');
  await page.getByRole('button', { name: 'Play' }).click();
  await expect
    .poll(async () => (await ask<Overview>(worlds, 'overview')).scenario)
    .toMatchObject({ id: 'first-link', phase: 'done' });
  await expect(calls(page, 'get_patient')).toHaveCount(2);
  await page.getByRole('tab', { name: 'State' }).click();
  const links = page.getByRole('table', { name: /EHR server · links/ });
  await expect(links).toContainText('anna');
  await page.keyboard.press('r');
  await page.getByRole('textbox', { name: 'Name' }).fill('linked');
  await page.getByRole('button', { name: 'Take a snapshot' }).click();
  await expect.poll(() => ask<unknown[]>(worlds, 'snapshots')).toHaveLength(1);
  const link = await page.getByLabel('Link to this moment').inputValue();
  const moment = await ask(worlds, 'moment');
  await page.keyboard.press('Escape');
  await ask(worlds, 'reset', {});
  await expect(links).toContainText(/links 0/);
  await ask(worlds, 'snapshots/1/restore', {});
  await expect(links).toContainText(/links 1.*anna/s);

  await page.goto('about:blank');
  await page.goto(link.replace('/w/one/', '/w/two/'));
  await page.getByRole('button', { name: 'Reset and open' }).click();
  await expect(calls(page, 'get_patient')).toHaveCount(2);
  await expect.poll(() => ask(worlds, 'moment', undefined, 'two')).toEqual(moment);
});

test('two worlds in one browser share nobody, and a wrong name is told', async ({
  page,
  context,
  worlds,
}) => {
  await open(page, worlds);
  await page.getByRole('button', { name: 'Anna', exact: true }).click();
  const client = clientIn(page);
  await client.getByLabel('Phone').press('Enter');
  await client.getByLabel('Code').waitFor();
  await open(page, worlds, 'two');
  await expect(clientIn(page).getByLabel('Phone')).toBeVisible();
  await expect(messages(page)).toHaveCount(0);
  const other = await context.newPage();
  const answer = await other.goto(`${worlds.url}/w/three/`);
  expect(answer?.status()).toBe(404);
  await other.getByRole('link', { name: 'two' }).click();
  await expect(other.getByText('Three parties, live')).toBeVisible();
});

for (const [width, colorScheme, language, named] of [
  [1600, 'light', 'en', /^Anna tells the EHR server alone/],
  [900, 'dark', 'ru', /^Anna сообщает только серверу ЭМК/],
  [390, 'light', 'de', /^Anna sagt allein dem EHR-Server/],
] as const)
  test.describe(`${width} px wide, ${colorScheme}`, () => {
    test.use({ viewport: { width, height: 850 }, colorScheme });

    test(`a whole flow keeps nobody out at ${width} px, ${colorScheme}, in ${language}`, async ({
      page,
      worlds,
    }, info) => {
      await page.addInitScript((chosen) => localStorage.setItem('console-language', chosen), language);
      await open(page, worlds);
      await play(worlds, 'first-link', 6);
      await expect(page.locator('.remark-text').filter({ hasText: named })).toBeAttached();
      await info.attach('lanes', { body: await page.screenshot(), contentType: 'image/png' });
      await calls(page, 'save_exchange_token').click();
      await expect(page.locator('.route-method')).toBeVisible();
      await info.attach('message', { body: await page.screenshot(), contentType: 'image/png' });
      await page.keyboard.press('2');
      await expect(page.getByRole('table').first()).toBeVisible();
      await info.attach('state', { body: await page.screenshot(), contentType: 'image/png' });
      expect(await violations(page)).toEqual([]);
    });
  });

function clockOf(worlds: Consoles): Promise<ClockState> {
  return ask<{ clock: ClockState }>(worlds, 'overview').then(({ clock }) => clock);
}

/** Every violation of accessibility that axe finds, and whether anything is wider than the screen. */
async function violations(page: Page): Promise<string[]> {
  const beyond = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  const cut = await page.getByRole('table').evaluateAll(
    (all) =>
      all.filter((table) => {
        const panel = table.closest('section') as Element;
        return table.getBoundingClientRect().right > panel.getBoundingClientRect().right;
      }).length,
  );
  return [
    ...(await violationsOn(page)),
    ...(beyond > 0 ? [`${beyond} px too wide`] : []),
    ...(cut > 0 ? [`${cut} tables cut off`] : []),
  ];
}
