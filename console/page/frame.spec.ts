/**
 * What stands around the lanes, and in their place: the client in its frame, the clock, the wires, snapshots, the
 * keys; the question for the token, that of a link, and that the page is broken.
 */
import { expect, type Locator } from '@playwright/test';
import { linkTo } from './connection/address.ts';
import { open, test, violations } from './testing/console-test.ts';
import { scriptedOverview } from './testing/fake-console.ts';
import { moment as ownMoment, START } from './testing/scripted-exchange.ts';

// One browser for all of them.
test.describe.configure({ mode: 'default', timeout: 60_000 });
test.use({ timezoneId: 'UTC' });

const DAY_MS = 86_400_000;
const MOVED_MS = DAY_MS + 600_000;

const [WIDE, NARROW] = [
  { width: 1280, height: 640 },
  { width: 390, height: 640 },
] as const;

test.describe('on a narrow screen', () => {
  test.use({ viewport: NARROW });

  test('a person fills each form of the phone, its button in view', async ({ page, fake }) => {
    await open(page, fake);
    await page.getByRole('button', { name: 'Client', exact: true }).click();
    const client = page.frameLocator('.device-frame');
    const widthInside = client.locator('html').evaluate(() => window.innerWidth);
    expect(await widthInside).toBe(390);
    const { width: widthOutside } = await boxOf(page.getByTitle('The client, as a patient sees it'));
    expect(widthOutside).toBeLessThan(390);

    await page.getByRole('button', { name: 'Anna', exact: true }).click();
    await expect(client.getByLabel('Phone')).toHaveValue('79990000001');
    await client.getByRole('button', { name: 'Send code' }).click();
    fake.send('text', { id: 1, to: '79990000001', text: 'Your code: 752490', code: '752490', at: START });
    await page.getByRole('button', { name: 'Fill in the code 752490' }).click();
    await expect(client.getByLabel('Code')).toHaveValue('752490');
    await client.getByLabel('Code').press('Enter');
    await expect(client.getByLabel('Surname')).toHaveValue('Petrova');
    await expect(client.getByLabel('Born')).toHaveValue('1985-04-12');
    const connect = client.getByRole('button', { name: 'Connect' });
    await expect(connect).toBeInViewport({ ratio: 0.9 });
    await page.setViewportSize(WIDE);
    expect((await boxOf(page.getByTitle('The client, as a patient sees it'))).width).toBeLessThan(390);
    expect(await client.locator('html').evaluate(() => window.innerWidth)).toBe(390);
    await expect(connect).toBeInViewport({ ratio: 0.9 });
  });
});

test.describe('after the clock was moved', () => {
  const { clock } = scriptedOverview;
  test.use({
    settings: { overview: { clock: { ...clock, now: clock.now + MOVED_MS, offsetMs: MOVED_MS } } },
  });

  test('the clock tells its day and how far it was moved, and goes back', async ({ page, fake }) => {
    await open(page, fake);
    const head = page.getByRole('banner');
    await expect(head).toContainText('Fri 16 Jan · +1 day 0:10:00');
    await head.getByRole('button', { name: 'Back to now' }).click();
    await expect.poll(() => fake.asked).toEqual([{ method: 'POST', path: 'clock', body: { to: 'now' } }]);
    await head.getByRole('button', { name: 'Time…' }).click();
    await expect(page.getByRole('dialog').locator('p').getByRole('button')).toHaveText([
      ...['1 s before the token ends', 'Past the token’s end', 'Past the session’s end'],
      ...['+10 min', '+1 day', 'Back to now'],
    ]);
    fake.send('clock', { ...clock, offsetMs: 0 });
    await expect(head.getByRole('button', { name: 'Back to now' })).toHaveCount(0);
    await expect(head).not.toContainText('Jan');
  });
});

test('at 1280 px the header has one row, and no choice is cut', async ({ page, fake }) => {
  await page.setViewportSize(WIDE);
  await open(page, fake);
  const header = page.getByRole('banner');
  const { clock } = scriptedOverview;
  for (const offsetMs of [0, MOVED_MS]) {
    fake.send('clock', { ...clock, now: clock.now + offsetMs, offsetMs });
    await expect(header.getByRole('button', { name: 'Back to now' })).toHaveCount(Number(offsetMs > 0));
    const middles = await header
      .locator('h1, select, .btn, input')
      .evaluateAll((all) =>
        all.map((one) => one.getBoundingClientRect()).map(({ y, height }) => y + height / 2),
      );
    expect(Math.max(...middles) - Math.min(...middles)).toBeLessThan(6);
  }
  const tooNarrow = await header.locator('select').evaluateAll((all) =>
    (all as HTMLSelectElement[]).flatMap((select) => {
      const text = select.selectedOptions[0]?.text ?? '';
      const whole = select.cloneNode() as HTMLSelectElement;
      whole.append(new Option(text));
      whole.style.cssText = 'width: max-content; max-width: none; flex: none';
      select.after(whole);
      const missing = whole.offsetWidth - select.offsetWidth;
      whole.remove();
      return missing > 0 ? [`${text}: ${missing} px`] : [];
    }),
  );
  expect(tooNarrow).toEqual([]);
});

test('wires are named between their lanes; G and S act on the chosen scenario', async ({ page, fake }) => {
  await open(page, fake);
  const lanes = page.getByRole('region', { name: 'Exchange', exact: true });
  const middleOf = async (party: string) => {
    const { x, width } = await boxOf(lanes.getByText(party, { exact: true }).filter({ visible: true }));
    return x + width / 2;
  };
  const places = {
    client: await middleOf('Client'),
    auth: await middleOf('Authorization server'),
    ehr: await middleOf('EHR server'),
  };
  const tops = new Map<string, number>();
  for (const [name, from, to] of [
    ['Trouble: Client → Authorization server, sign-in wire: healthy', 'client', 'auth'],
    ['Trouble: Authorization server → EHR server, internal channel: healthy', 'auth', 'ehr'],
    ['Trouble: Client → EHR server, direct wire: healthy', 'client', 'ehr'],
  ] as const) {
    const { x, y, width } = await boxOf(lanes.getByRole('button', { name, exact: true }));
    expect(x, name).toBeGreaterThan(places[from]);
    expect(x + width, name).toBeLessThan(places[to]);
    expect(Math.abs(x + width / 2 - (places[from] + places[to]) / 2), name).toBeLessThan(2);
    tops.set(`${from} ${to}`, y);
  }
  expect(tops.get('client auth')).toBe(tops.get('auth ehr'));
  expect(tops.get('client ehr')).toBeGreaterThan(tops.get('auth ehr') ?? 0);

  const list = page.getByRole('combobox', { name: 'Scenario' });
  await page.keyboard.press('g');
  await expect(list).toBeFocused();
  // As if by the mouse.
  await list.dispatchEvent('pointerdown');
  await list.selectOption('token-ends');
  for (const key of ['s', 'g']) await page.keyboard.press(key);
  await expect.poll(() => fake.asked).toHaveLength(2);
  for (const [phase, key] of [
    ['playing', 's'],
    ['playing', 'g'],
    ['paused', 'g'],
    ['paused', 's'],
  ] as const) {
    fake.send('scenario', { id: 'token-ends', step: 1, phase });
    await expect(page.getByRole('region', { name: 'Scenario' }).getByRole('status')).toHaveText(phase);
    await page.keyboard.press(key);
  }
  await expect
    .poll(() => fake.asked.map(({ body }) => body))
    .toEqual([
      { do: 'step', id: 'token-ends' },
      { do: 'play', id: 'token-ends', paceMs: 1_000 },
      { do: 'pause' },
      { do: 'play', paceMs: 1_000 },
      { do: 'step' },
    ]);
});

test.describe('of a demo without messages', () => {
  test.use({ settings: { rows: [] } });

  test('a snapshot leads back to its time, without its messages, and is deleted', async ({ page, fake }) => {
    await page.goto(fake.address);
    await page.getByRole('button', { name: 'Close' }).click();
    fake.send('scenario', { id: 'first-link', step: 3, phase: 'done' });
    await expect(page.getByRole('heading', { name: /^Nothing has crossed since the snap/ })).toBeVisible();
    await page.keyboard.press('r');
    const dialog = page.getByRole('dialog');
    for (const name of ['before the end', 'after it']) {
      await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
      await dialog.getByRole('textbox', { name: 'Name' }).press('Enter');
      await expect(dialog.getByRole('listitem').filter({ hasText: name })).toContainText(
        'Thu 15 Jan, 09:00:02.0',
      );
    }
    await dialog.getByRole('button', { name: 'Restore before the end' }).click();
    await expect(dialog.getByRole('status')).toHaveText(
      /^“before the end” is restored. Messages are no part of a snapshot/,
    );
    await dialog.getByRole('button', { name: 'Delete after it' }).press('Enter');
    await expect(dialog.getByRole('listitem')).toHaveText([/^before the end/]);
    await expect(dialog.getByRole('heading', { name: 'Snapshots' })).toBeFocused();
    await page.keyboard.press('Escape');
    // It is hidden before the page knows that it was closed.
    await expect(page.locator('dialog')).toHaveCount(0);
    await page.keyboard.press('r');
    await expect(dialog.getByRole('listitem')).toHaveText([/^before the end/]);
  });
});

async function boxOf(element: Locator) {
  const box = await element.boundingBox();
  if (!box) throw new Error(`${element} is not drawn`);
  return box;
}

test('a locked console says what it is, and takes only the right token', async ({ page, fake }) => {
  await page.goto(new URL('/', fake.address).href);
  await expect(page.getByRole('heading', { name: 'The console is locked' })).toBeVisible();
  await expect(page.getByRole('main')).toContainText('a client, an authorization server and an EHR server');
  await expect(page.getByRole('listitem')).toContainText(['npm run demo', '/?token=', 'Paste it here']);
  await expect(page.getByRole('alert')).toHaveCount(0);
  await page.getByLabel('Address or token').fill('of-yesterday');
  await page.getByLabel('Address or token').press('Enter');
  await expect(page.getByRole('alert')).toHaveText(/^This demo has another token/);
  await page.getByLabel('Address or token').fill(fake.address);
  await page.getByRole('button', { name: 'Open' }).click();
  await expect(page.getByText('Three parties, live')).toBeVisible();
});

/** Of a demo with another population. */
const moment = { ...ownMoment, seed: 8 };

test.describe('390 px wide, dark', () => {
  test.use({ viewport: { width: 390, height: 800 }, colorScheme: 'dark' });

  test('a locked link tells its situation, and opens it where it can be read', async ({ page, fake }) => {
    await page.goto(linkTo(moment, new URL('/', fake.address).href));
    await expect(page.getByRole('heading', { name: 'This link leads into a locked demo' })).toBeVisible();
    await expect(page.getByRole('main')).toContainText('the scenario token-ends, after 2 steps');
    expect(await violations(page)).toEqual([]);
    await page.getByLabel('Address or token').fill(fake.address);
    await page.getByRole('button', { name: 'Open' }).click();
    const text = page.getByRole('dialog', { name: 'Open this situation?' });
    await expect(text).toContainText('The demo is reset first');
    await expect(text).toContainText('the link was made with seed 8');
    await page.getByRole('button', { name: 'Reset and open' }).click();
    await expect.poll(() => fake.asked.map(({ body }) => body)).toEqual([moment]);

    const unread = page.getByRole('dialog', { name: 'This link cannot be opened' });
    for (const [content, words] of [
      ['{"version":1}', 'No situation can be read from it'],
      ['{"version":99}', 'Its situation has version 99, and this demo reads version 1'],
    ] as const) {
      await page.goto('about:blank');
      await page.goto(`${fake.address}#moment=${encodeURIComponent(content)}`);
      await expect(unread).toContainText(words);
    }
    expect(await violations(page)).toEqual([]);
    await unread.getByRole('button', { name: 'Close' }).click();
    await expect(unread).toHaveCount(0);
    expect(fake.asked).toHaveLength(1);
  });
});

test('a page that a stranger has broken says so, and is loaded again', async ({ page, fake }) => {
  await open(page, fake);
  await page.locator('.lane-ground > *').evaluate((list) => {
    const wrapper = document.createElement('div');
    list.replaceWith(wrapper);
    wrapper.append(list);
  });
  await page.getByRole('button', { name: 'Why the exchange token?' }).click();
  await expect(page.getByRole('heading', { name: 'This page cannot be shown' })).toBeVisible();
  await page.getByRole('button', { name: 'Reload the page' }).click();
  await expect(page.getByRole('heading', { name: 'The exchange, live' })).toBeVisible();
});

const KEPT = ['console-explained', 'my-records.language', '/other/client/ my-records.tab'];
const OF_CLIENT = ['/client/ my-records.tab', '/client/ my-records.user-sign:phone:79990000001'];

test('after a reset all is empty; a restore leaves the client alone', async ({ page, fake }) => {
  await open(page, fake);
  const client = page.frameLocator('.device-frame');
  await client.getByLabel('Phone').fill('79990000001');
  await client.getByRole('button').click();
  await expect(client.getByLabel('Code')).toBeVisible();
  await page.evaluate(
    (keys) => {
      for (const storage of [localStorage, sessionStorage])
        for (const key of keys) storage.setItem(key, 'en');
    },
    [...KEPT, ...OF_CLIENT],
  );

  await page.getByRole('button', { name: 'Reset', exact: true }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Reset the demo?' });
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  // It is hidden before the page knows that it was closed.
  await expect(page.locator('dialog')).toHaveCount(0);
  expect(fake.asked).toEqual([]);

  await page.getByRole('button', { name: 'Reset', exact: true }).press('Enter');
  await dialog.getByRole('button', { name: 'Reset', exact: true }).press('Enter');
  await expect.poll(() => fake.asked.map(({ path }) => path)).toEqual(['reset']);
  fake.send('reset', { isEmptied: true });
  await expect(client.getByLabel('Phone')).toHaveValue('');
  const left = await page.evaluate(() =>
    [localStorage, sessionStorage].map((storage) => Object.keys(storage).sort()),
  );
  expect(left[1]).toEqual([...KEPT].sort());
  expect(left[0]).toEqual(expect.arrayContaining(KEPT));
  expect(left[0]).not.toEqual(expect.arrayContaining(OF_CLIENT.slice(0, 1)));

  await client.getByLabel('Phone').fill('79990000001');
  fake.send('reset', { isEmptied: false });
  await expect(page.locator('[data-message]').first()).toBeVisible();
  await expect(client.getByLabel('Phone')).toHaveValue('79990000001');
});
