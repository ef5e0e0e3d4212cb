/** The page without an installation, alone in a browser: once it is there, the network is cut. */
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import type { Overview, ScenarioState } from '#console/api.ts';
import { violations } from '#console/page/testing/console-test.ts';
import { askConsole, clientIn, expect, openAlone, test } from './testing/in-page-test.ts';

test.describe.configure({ mode: 'default' });
test.use({ viewport: { width: 1600, height: 900 } });

const calls = (page: Page, method: string) => page.locator('[data-message]').filter({ hasText: method });

async function playScenario(page: Page, title: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Scenario' }).selectOption(title);
  await page.getByRole('button', { name: 'Play' }).click();
}

test('a person links the record by hand, and sees it', async ({ page, served }) => {
  await openAlone(page, served.address);
  await expect(page.getByText('All three parties run in this page')).toBeVisible();
  await page.getByRole('button', { name: 'Anna', exact: true }).click();
  const client = clientIn(page);
  await client.getByRole('button', { name: 'Send code' }).click();
  await page.getByRole('button', { name: /^Fill in the code/ }).click();
  await client.getByRole('button', { name: 'Confirm' }).click();
  await client.getByRole('button', { name: 'Find my record' }).click();
  await expect(client.getByRole('heading', { level: 1, name: /Anna.*Petrova/ })).toBeVisible();
  await expect(calls(page, 'save_auth_info')).toBeVisible();
  expect(await violations(page)).toEqual([]);
});

test('an exchange token that has expired is refused, and a new one works', async ({ page, served }) => {
  await openAlone(page, served.address);
  await playScenario(page, 'An exchange token that has expired');
  await expect(page.getByText('exchange_token_expired').first()).toBeVisible();
  await expect.poll(async () => (await askConsole<Overview>(page, 'overview')).scenario.phase).toBe('done');
  await page.getByRole('button', { name: 'Take over' }).first().click();
  await expect(clientIn(page).getByRole('heading', { level: 1, name: /Anna.*Petrova/ })).toBeVisible();
});

test('a taken-over authorization server opens no record without the signature', async ({ page, served }) => {
  await openAlone(page, served.address);
  await askConsole(page, 'scenario', { do: 'play', id: 'taken-over' });
  await expect(page.getByText(/^Anna is attacked: a session is saved/)).toBeVisible();
  await expect(page.getByText('not_authorized').first()).toBeVisible();
  await expect(page.getByText(/^Anna has the record read, because the signature/)).toBeVisible();
  await expect.poll(async () => (await askConsole<Overview>(page, 'overview')).scenario.phase).toBe('done');
});

test('a link to a moment opens that moment', async ({ page, served, context }) => {
  await openAlone(page, served.address);
  for (const id of ['token-expired', undefined, undefined])
    await askConsole(page, 'scenario', { do: 'step', ...(id && { id }) });
  await page.getByRole('button', { name: 'Record…' }).click();
  const link = await page.getByRole('textbox', { name: /Link/ }).inputValue();
  expect(link).toContain(`${served.address}#moment=`);
  const other = await context.newPage();
  await context.setOffline(false);
  await other.goto(link);
  await other.getByRole('dialog').getByRole('button', { name: 'Open' }).click();
  await expect(calls(other, 'auth.exchange_token')).toBeVisible();
  const { scenario, clock } = await askConsole<Overview>(other, 'overview');
  expect(scenario).toEqual({ id: 'token-expired', step: 3, phase: 'paused' });
  expect(clock.offsetMs).toBe(600_000);
});

test('a run.json is saved, and opens when it is dropped', async ({ page, served }) => {
  await openAlone(page, served.address);
  await askConsole(page, 'scenario', { do: 'play', id: 'first-link' });
  await expect(calls(page, 'patient.get_patient')).toHaveCount(2);
  await page.getByRole('button', { name: 'Record…' }).click();
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save run.json' }).click();
  const run = readFileSync(await (await saving).path(), 'utf8');
  expect(run).not.toContain('Petrova');
  await page.keyboard.press('Escape');
  await page.evaluate((text) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([text], 'run.json', { type: 'application/json' }));
    document.body.dispatchEvent(new DragEvent('drop', { bubbles: true, dataTransfer }));
  }, run);
  await expect(page.getByText(/Saved run of the demo/)).toBeVisible();
  await expect(calls(page, 'save_exchange_token')).toBeVisible();
  await calls(page, 'embedded_storage.authenticate').click();
  await page.getByRole('tab', { name: 'State' }).click();
  const sessions = page.getByRole('table', { name: /EHR server · sessions/ });
  await expect(sessions).toContainText('24:00:00');
});

test('every scenario plays to its end', async ({ page, served }) => {
  await openAlone(page, served.address);
  const { scenarios } = await askConsole<Overview>(page, 'overview');
  expect(scenarios.length).toBeGreaterThanOrEqual(24);
  for (const { id } of scenarios) {
    await askConsole(page, 'scenario', { do: 'play', id });
    const state = async () => (await askConsole<{ scenario: ScenarioState }>(page, 'overview')).scenario;
    await expect.poll(state, { message: id }).toMatchObject({ id, phase: 'done' });
  }
});
