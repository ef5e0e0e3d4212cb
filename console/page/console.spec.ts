/** The page of the console, translated by the browser, over a scripted exchange. */
import { expect } from '@playwright/test';
import { line, lines, open, test } from './testing/console-test.ts';
import { linkedState, message } from './testing/scripted-exchange.ts';

// One browser for all of them.
test.describe.configure({ mode: 'default', timeout: 60_000 });
test.use({ viewport: { width: 1600, height: 900 }, translated: true });

test('a message is chosen, filtered, held while paused, and marked with its verdict', async ({
  page,
  fake,
  complaints,
}) => {
  await open(page, fake);
  await expect(page).toHaveURL(/\/$/);
  const ids = await lines(page).evaluateAll((all) => all.map((one) => one.dataset.message));
  expect(ids).toEqual(['2', '3', '4', '6', '7', '8', '9', '10']);
  await line(page, 7).click();
  const details = page.getByRole('region', { name: 'Details' });
  await details.getByText('One check holds').click();
  await expect(details).toContainText('§5.2 Authorization server The digest is over the internal password');
  await expect(details).toContainText('"result"');
  await expect(details.getByRole('table')).toContainText('‹exchange-token 1›');
  await expect(page.locator('.mark.fail')).toHaveText('✕ One rule is broken');

  await page.getByText('Filter', { exact: true }).click();
  await page.getByLabel('Outcome').selectOption('broken');
  await expect(lines(page)).toHaveCount(1);
  await page.getByRole('button', { name: 'Clear' }).click();

  await page.getByRole('button', { name: 'Pause' }).click();
  for (const id of [11, 12])
    fake.send(
      'row',
      message(id, 'client->ehr', 7_000 + id, 5, { method: 'patient.get_patient', answer: 'result' }),
    );
  await expect(page.getByText('2 waiting')).toBeVisible();
  await page.keyboard.press('n');
  await expect(line(page, 11)).toBeVisible();
  await expect(line(page, 12)).toHaveCount(0);
  await page.keyboard.press('p');
  await expect(line(page, 12)).toBeVisible();
  expect(complaints).toEqual([]);
});

test('state is marked where it changed, and leaked patient data stop the page', async ({ page, fake }) => {
  await open(page, fake);
  await page.getByRole('tab', { name: 'State' }).click();
  await expect(page.getByRole('table', { name: /EHR server · exchange tokens/ })).toContainText(/9:5\d/);
  fake.send('state', linkedState);
  await expect(page.locator('.is-removed')).toContainText('‹exchange-token 1›');
  await expect(page.getByRole('table', { name: /EHR server · sessions/ }).locator('.is-added')).toHaveCount(
    1,
  );

  const leak = message(11, 'client->auth', 8_000, 5, { method: 'auth.request_otp', answer: 'result' });
  fake.send('row', { ...leak, patientData: ['surname in the body'] });
  fake.send('alarm', { message: 11, found: ['surname in the body'] });
  await expect(page.getByRole('alert')).toContainText('surname in the body');
  fake.send('row', message(12, 'client->ehr', 9_000, 5, { method: 'patient.get_patient', answer: 'result' }));
  await expect(page.getByText('1 waiting')).toBeVisible();
  await page.getByRole('button', { name: 'Go on' }).click();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(line(page, 12)).toBeVisible();
});

test('clock, trouble, scenarios, snapshots and links answer the reader, by keys alone too', async ({
  page,
  fake,
}) => {
  await open(page, fake);
  await page.keyboard.press('t');
  await page.getByRole('slider', { name: 'Move the clock forward' }).focus();
  for (const key of ['ArrowRight', 'ArrowRight', 'Enter']) await page.keyboard.press(key);
  await page.getByRole('button', { name: /Authorization server → EHR server/ }).click();
  await page.getByLabel('What happens').selectOption('refuse');
  await page.getByRole('combobox', { name: 'Error' }).selectOption('user_unknown');
  await page.getByLabel('How often').selectOption('untilOff');
  await page.getByRole('button', { name: 'Switch on' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('combobox', { name: 'Scenario' }).selectOption('token-ends');
  await page.getByRole('button', { name: 'Play' }).click();
  await page.keyboard.press('r');
  await expect(page.getByLabel('Link to this moment')).toHaveValue(/#moment=/);
  await expect(page.getByRole('dialog')).toContainText('What you did by hand is not in it');
  const link = await page.getByLabel('Link to this moment').inputValue();
  await page.getByRole('textbox', { name: 'Name' }).fill('before the end');
  await page.getByRole('button', { name: 'Take a snapshot' }).click();
  await expect.poll(() => fake.asked.length).toBe(5);
  await page.goto('about:blank');
  await page.goto(link);
  await expect(page.getByRole('dialog')).toContainText('The demo is reset first');
  await expect(page.getByText('the link was made with seed')).toHaveCount(0);
  await page.getByRole('button', { name: 'Reset and open' }).click();
  await expect.poll(() => fake.asked.map(({ path }) => path).at(-1)).toBe('moment');
  expect(fake.asked.slice(0, -1).map(({ path, body }) => [path, body])).toEqual([
    ['clock', { to: 'beforeTokenEnd' }],
    ['clock', { advanceMs: 2_000 }],
    ['faults', { wire: 'auth->ehr', fault: 'refuse', times: 'untilOff', reason: 'user_unknown' }],
    ['scenario', { do: 'play', id: 'token-ends', paceMs: 1_000 }],
    ['snapshots', { name: 'before the end' }],
  ]);
});

test('a saved run is walked through with its states; no JSON is no run', async ({ page, fake }) => {
  await open(page, fake);
  await page.keyboard.press('r');
  const broken = await page.evaluateHandle(() => {
    const data = new DataTransfer();
    data.items.add(new File(['{"format":'], 'run.json'));
    return data;
  });
  await page.getByRole('dialog').dispatchEvent('drop', { dataTransfer: broken });
  await expect(page.getByRole('alert')).toContainText('The file is not JSON, so it is no run.json');
  expect(fake.asked).toEqual([]);
  await page.getByRole('alert').getByRole('button', { name: 'Close' }).click();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await page.keyboard.press('r');
  const buffer = Buffer.from('{"format":"embedded-ehr-run/3"}');
  const file = { name: 'run.json', mimeType: 'application/json', buffer };
  await page.getByLabel('Open a run.json').setInputFiles(file);
  await expect(page.getByText('Saved run of clinic-auth, 2026-01-15')).toBeVisible();
  await expect(page.getByText('A saved run, not live')).toBeVisible();
  await expect(page.getByText(/Time of the run/)).toBeVisible();
  await expect(page.getByRole('slider')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Play' })).toHaveCount(0);
  for (const key of ['g', 's', 't']) await page.keyboard.press(key);
  const panel = page.getByRole('region', { name: 'A saved run' });
  await expect(panel).toContainText('clinic-auth');
  await panel.getByRole('button', { name: 'anna' }).click();
  await expect(page.getByText('judges one party alone: Authorization server')).toBeVisible();
  await page.getByRole('tab', { name: 'State' }).click();
  const tokens = page.getByRole('table', { name: /EHR server · exchange tokens/ });
  // From message 2 to message 7, which adds the exchange token; message 8 uses it.
  for (let walked = 0; walked < 4; walked += 1)
    await page.getByRole('button', { name: 'Next message' }).click();
  await expect(tokens.locator('.is-added')).toContainText('9:59');
  await page.getByRole('button', { name: 'Next message' }).click();
  await expect(tokens.locator('.is-removed')).toHaveCount(1);
  await panel.getByRole('button', { name: 'Back to live' }).click();
  await expect(panel).toHaveCount(0);
  await expect(page.locator('.device-frame')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Follow' })).toBeVisible();
  expect(fake.asked.map(({ path }) => path)).toEqual(['replay']);
});
