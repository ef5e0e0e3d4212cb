/** The messages of the console's page: their details, the lanes, and what leads from one to the other. */
import { expect, type Locator, type Page } from '@playwright/test';
import { line, lines, open, test, violations } from './testing/console-test.ts';
import { manyRows, message, START, verdicts } from './testing/scripted-exchange.ts';

// One browser for all of them.
test.describe.configure({ mode: 'default', timeout: 60_000 });
test.use({ viewport: { width: 1280, height: 850 } });

const details = (page: Page) => page.getByRole('region', { name: 'Details' });
const topOf = async (place: Locator) => (await place.boundingBox())?.y ?? Number.NaN;

test('a message comes first: of its checks only what is broken is open', async ({ page, fake }) => {
  await open(page, fake);
  const [holds] = verdicts;
  for (let n = 1; n <= 18; n++)
    fake.send('verdict', { ...holds, check: `other-${n}`, evidence: [10] } as (typeof verdicts)[number]);
  fake.send('verdict', { ...holds, evidence: [7, 10] } as (typeof verdicts)[number]);
  await line(page, 10).click();
  const panel = details(page);
  await expect(panel.getByText('19 checks hold')).toBeVisible();
  const order = [
    ...['Request', 'Reply', 'What it changed', 'What does not hold'].map((name) =>
      panel.getByRole('heading', { name }),
    ),
    panel.getByText('19 checks hold'),
  ];
  const tops = await Promise.all(order.map(topOf));
  expect(tops).toEqual([...tops].sort((a, b) => a - b));
  expect(await topOf(panel.getByRole('button', { name: 'Copy as curl' }))).toBeLessThan(tops[3] ?? 0);
  await expect(panel.getByText('The digest is over')).toHaveCount(19);
  await expect(panel.getByText('The digest is over').first()).toBeHidden();
  await panel.getByRole('button', { name: 'does not hold: 1' }).click();
  await expect(panel.getByText('Send the same save again')).toBeInViewport();
  await panel.getByText('19 checks hold').click();
  await expect(panel.getByText('The digest is over').first()).toBeVisible();
});

test('a call is drawn as it leaves, and its wire says that it waits', async ({ page, fake }) => {
  await open(page, fake);
  const wire = page.getByRole('button', { name: /^Trouble: Client → EHR server/ });
  await expect(wire).toHaveAccessibleName(/healthy/);
  const leaving = message(11, 'client->ehr', -3_000, 0, { method: 'patient.get_patient', answer: '' });
  fake.send('row', { ...leaving, outcome: 'underWay' });
  const call = page.getByRole('button', { name: /^Message 11: .*answer: under way/ });
  await expect(call).toBeVisible();
  await expect(wire).toHaveAccessibleName(/no reply for \d+ s/);
  await expect(wire).toBeVisible();
  await call.click();
  await expect(details(page)).toContainText('It waits for its reply.');
  expect(await violations(page)).toEqual([]);
  const before = await lines(page).count();
  fake.send('row', { ...leaving, outcome: 'done', answer: 'result: patient', endedAt: START + 1 });
  await expect(page.getByRole('button', { name: /^Message 11: .*answer: result: patient/ })).toBeVisible();
  await expect(lines(page)).toHaveCount(before);
  await expect(wire).toHaveAccessibleName(/healthy/);
  await expect(details(page)).toContainText('HTTP 200');
});

test.describe('among many messages on a narrow screen', () => {
  test.use({ viewport: { width: 390, height: 850 }, settings: { rows: manyRows(300) } });

  test('a number in the verdicts leads to its message, and no remark is cut', async ({ page, fake }) => {
    await open(page, fake);
    const text = `${'Anna asks once more, and the server still says nothing about her record. '.repeat(4)}End.`;
    fake.send('row', { kind: 'remark', id: 301, at: START + 15_100, text });
    fake.send(
      'row',
      message(302, 'client->ehr', 15_200, 5, { method: 'patient.get_patient', answer: 'result' }),
    );
    await expect(line(page, 302)).toBeInViewport();
    const remark = page.getByRole('listitem').filter({ hasText: 'once more' });
    expect(
      await remark
        .locator('span')
        .first()
        .evaluate((one) => [
          one.scrollWidth <= one.clientWidth || getComputedStyle(one).overflow === 'visible',
          one.scrollHeight <= (one.parentElement?.clientHeight ?? 0),
        ]),
    ).toEqual([true, true]);
    const box = await remark.boundingBox();
    expect(await topOf(line(page, 302))).toBeGreaterThanOrEqual((box?.y ?? 0) + (box?.height ?? 0) - 1);
    // The remark grows where the page is narrower: the lanes still follow their end.
    await page.setViewportSize({ width: 240, height: 850 });
    await expect.poll(async () => (await remark.boundingBox())?.height).toBeGreaterThan(box?.height ?? 0);
    await expect(line(page, 302)).toBeInViewport({ ratio: 1 });
    await page.setViewportSize({ width: 390, height: 850 });

    await page.keyboard.press('3');
    await page.getByRole('button', { name: 'message 9' }).click();
    await expect(details(page)).toContainText('patient.get_patient');
    await page.getByRole('button', { name: 'Exchange', exact: true }).click();
    await expect(line(page, 9)).toBeInViewport();
  });
});

test.describe('among ten thousand messages', () => {
  test.use({ settings: { rows: manyRows(10_000) } });

  test('only those in view are drawn, and a number leads past a filter', async ({ page, fake }) => {
    await open(page, fake);
    await expect(line(page, 10_000)).toBeVisible();
    expect(await lines(page).count()).toBeLessThan(100);
    const [, fails] = verdicts;
    fake.send('verdict', { ...fails, message: 4_322, evidence: [4_322] } as (typeof verdicts)[number]);
    await page.keyboard.press('/');
    await page.keyboard.type('request_otp');
    await expect(page.getByText('6666 messages hidden by the filter:')).toBeVisible();
    await page.getByRole('tab', { name: 'Verdicts' }).click();
    await page.getByRole('button', { name: 'message 4322' }).click();
    await expect(line(page, 4_322)).toBeInViewport();
    await expect(line(page, 4_322)).toContainText('#4322');
    await expect(page.getByText('hidden by the filter')).toHaveCount(0);
  });
});

test('a closed filter says what it hides; the legend explains band, number and seed', async ({
  page,
  fake,
}) => {
  await open(page, fake);
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog').getByText('search the messages')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.press('/');
  await expect(page.getByRole('searchbox', { name: 'Search messages' })).toBeFocused();
  await page.keyboard.type('EXCHANGE_token');
  await expect(lines(page)).toHaveCount(2);
  await page.getByRole('searchbox').clear();
  await page.getByText('Filter', { exact: true }).click();
  await page.getByLabel('Outcome').selectOption('broken');
  await page.getByText('Filter', { exact: true }).click();
  await expect(page.getByLabel('Outcome')).toBeHidden();
  await expect(page.getByText('7 messages hidden by the filter:')).toBeVisible();
  await page.getByRole('button', { name: 'show all' }).click();
  await expect(lines(page)).toHaveCount(8);

  await line(page, 8).click();
  await expect(details(page).getByText('§4.3')).toBeVisible();
  await page.getByRole('button', { name: 'Legend' }).click();
  const legend = page.getByRole('dialog', { name: 'Legend' });
  for (const said of ['no client sees it', 'leads to the message', 'from which the patients are invented'])
    await expect(legend).toContainText(said);
  await expect(legend).toContainText('seed 7');
});

test.describe('where the lanes are narrow', () => {
  test.use({ viewport: { width: 900, height: 850 } });

  test('a method is cut at its front, so that its name stays', async ({ page, fake }) => {
    await open(page, fake);
    const label = line(page, 7).getByText('save_exchange_token');
    const [begins, ends] = await label.evaluate((name) => {
      const method = name.parentElement as HTMLElement;
      const box = (method.parentElement as HTMLElement).getBoundingClientRect();
      const all = method.getBoundingClientRect();
      return [all.left >= box.left - 1, all.right <= box.right + 1];
    });
    expect([begins, ends]).toEqual([false, true]);
  });
});
