/** A scenario that plays: its pace and steps, the sentences beside its messages, and the phone. */
import { expect, type Page } from '@playwright/test';
import type { ScenarioState } from '../api.ts';
import { line, open, test } from './testing/console-test.ts';
import type { FakeConsole } from './testing/fake-console.ts';
import { exchange, message } from './testing/scripted-exchange.ts';

// One browser for all of them.
test.describe.configure({ mode: 'default', timeout: 60_000 });
test.use({ viewport: { width: 1600, height: 900 } });

const region = (page: Page) => page.getByRole('region', { name: 'Scenario', exact: true });
const stands = (fake: FakeConsole, step: number, phase: ScenarioState['phase'] = 'playing') =>
  fake.send('scenario', { id: 'first-link', step, phase });

test('a scenario tells its steps and the next one, at the pace chosen', async ({ page, fake }) => {
  await open(page, fake);
  await page.getByRole('combobox', { name: 'Scenario' }).selectOption('first-link');
  await expect(region(page)).toContainText('her session is linked to her record');
  await expect(region(page)).toContainText('Play empties the demo, switches all trouble off');
  await expect(region(page).getByRole('listitem')).toHaveText([
    'Anna signs in',
    'Anna asks for an exchange token',
    'Anna says who she is',
  ]);
  await page.getByRole('button', { name: 'Play' }).click();
  await expect
    .poll(() => fake.asked.map(({ body }) => body))
    .toEqual([{ do: 'play', id: 'first-link', paceMs: 1_000 }]);
  stands(fake, 1);
  await expect(region(page)).toContainText('Step 1 of 3');
  await expect(region(page)).toContainText('Next: Anna asks for an exchange token');
  stands(fake, 3, 'done');
  await expect(region(page)).not.toContainText('Next:');
  fake.send('scenario', { id: 'first-link', step: 1, phase: 'failed', trouble: 'It should succeed' });
  await expect(region(page)).toContainText(
    /^.*Step 2 of 3.*Anna asks for an exchange token.*failed: It should/,
  );
  await expect(region(page)).not.toContainText('Next:');

  const pace = page.getByRole('combobox', { name: 'Pace' });
  await expect(pace.getByRole('option')).toHaveText(['slow (5 s)', 'a step a second', 'at once']);
  await pace.selectOption('slow (5 s)');
  expect(fake.asked).toHaveLength(1);
  stands(fake, 1);
  await expect(region(page)).toContainText('Step 1 of 3');
  await pace.selectOption('at once');
  await expect
    .poll(() => fake.asked.map(({ body }) => body))
    .toEqual([{ do: 'play', id: 'first-link', paceMs: 1_000 }, { do: 'pause' }, { do: 'play', paceMs: 0 }]);
});

test.describe('of a first visit without messages', () => {
  test.use({ settings: { rows: [] } });

  test('the introduction steps aside when a scenario is played', async ({ page, fake }) => {
    await page.goto(fake.address);
    const introduction = page.getByRole('region', { name: 'Why the exchange token exists' });
    await page.getByRole('combobox', { name: 'Scenario' }).selectOption('first-link');
    for (const play of [
      () => page.getByRole('button', { name: 'Play' }).click(),
      () => page.getByRole('button', { name: 'Step' }).click(),
      () => page.keyboard.press('g'),
      () => page.keyboard.press('s'),
    ]) {
      await expect(introduction).toBeVisible();
      await play();
      await expect(page.getByRole('heading', { name: 'Nothing has crossed yet' })).toBeVisible();
      await page.keyboard.press('w');
    }
  });
});

test.describe('of a tour without messages', () => {
  test.use({ settings: { rows: [] } });

  test('the tour stands still, then is live: each sentence is below its message', async ({ page, fake }) => {
    await page.goto(fake.address);
    const next = page.getByRole('button', { name: 'Next' });
    const places: number[] = [];
    const walk = async () => {
      for (const title of ['The phone is confirmed', 'But which patient is she?', 'One token goes to both']) {
        await expect(page.getByRole('heading', { name: title })).toBeFocused();
        places.push(Math.round((await next.boundingBox())?.y ?? 0));
        await next.click();
      }
      await expect(page.getByRole('heading', { name: 'The two halves meet' })).toBeFocused();
    };
    await walk();
    expect(new Set(places).size).toBe(1);
    await page.getByRole('button', { name: 'Close' }).click();
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Nothing has crossed yet' })).toBeVisible();
    await page.keyboard.press('w');
    await walk();
    await page.getByRole('button', { name: 'Show me live' }).click();
    await expect
      .poll(() => fake.asked.map(({ body }) => body))
      .toEqual([{ do: 'play', id: 'first-link', paceMs: 5_000 }]);
    fake.send('reset', { isEmptied: true });
    stands(fake, 3);
    for (const row of exchange) fake.send('row', row);
    for (const [title, above, below] of [
      ['The phone is confirmed', 3, 4],
      ['But which patient is she?', 4, 6],
      ['One token goes to both', 7, 8],
      ['The two halves meet', 8, 9],
    ] as const) {
      const sentence = page.getByRole('listitem').filter({ hasText: title });
      await expect(sentence).toContainText(/exchange token|phone|EHR server/);
      const at = async (of: typeof sentence) => (await of.boundingBox())?.y ?? 0;
      const tops = [await at(line(page, above)), await at(sentence), await at(line(page, below))];
      expect(tops, title).toEqual(tops.toSorted((a, b) => a - b));
    }
    // Another run.
    fake.send('reset', { isEmptied: true });
    for (const row of exchange) fake.send('row', row);
    await expect(line(page, 8).first()).toBeVisible();
    await expect(page.getByText('The two halves meet')).toHaveCount(0);
  });
});

test('one play, one pause and one step are in reach', async ({ page, fake }) => {
  await open(page, fake);
  for (const [key, width] of [
    ['1', 1_280],
    ['3', 1_280],
    ['1', 390],
    ['3', 390],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await page.keyboard.press(key);
    for (const name of ['Play', 'Pause', 'Step']) {
      const button = page.getByRole('button', { name, exact: true });
      await expect(button).toHaveCount(1);
      await expect(button).toBeInViewport({ ratio: 1 });
    }
  }
  await page.getByRole('button', { name: 'Pause' }).click();
  for (const id of [11, 12])
    fake.send('row', message(id, 'client->ehr', 7_000 + id, 5, { method: 'a.b', answer: 'result' }));
  await expect(page.getByText('2 waiting')).toBeAttached();
  await page.getByRole('button', { name: 'Step' }).click();
  await expect(page.getByText('1 waiting')).toBeAttached();
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(page.getByText('waiting')).toHaveCount(0);
  expect(fake.asked).toEqual([]);
});

test.describe('of a scenario that holds a session', () => {
  const session = { user: 'u-1', token: 't-1', ttl: 1_440 };
  test.use({ settings: { held: { phone: '79990000001', session, userSign: 's-1', reportDue: true } } });

  test('the phone tells who plays, and takes the session over', async ({ page, fake }) => {
    await open(page, fake);
    const client = page.getByTitle('The client, as a patient sees it');
    await expect(client).toBeVisible();
    stands(fake, 1);
    const phone = page.getByRole('region', { name: 'Played by a script' });
    await expect(phone.getByRole('listitem').nth(1)).toHaveAttribute('aria-current', 'step');
    await expect(client).toHaveCount(0);
    await phone.getByRole('button', { name: 'Take over' }).click();
    await expect(client).toBeFocused();
    await expect(phone).toHaveCount(0);
    expect(fake.asked.map(({ body }) => body)).toEqual([{ do: 'takeOver' }]);
    const kept = await page.evaluate(() => [
      sessionStorage.getItem('/client/ my-records.tab'),
      localStorage.getItem('/client/ my-records.user-sign:phone:79990000001'),
    ]);
    const attribute = { kind: 'phone', value: '79990000001' };
    expect(JSON.parse(kept[0] ?? '')).toEqual({ at: 'session', attribute, session, reportDue: true });
    expect(kept[1]).toBe('s-1');
  });
});
