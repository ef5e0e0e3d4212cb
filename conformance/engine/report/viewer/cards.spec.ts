/** What the sections of the report's page show, in the words of the report. */
import { expect, type Locator, type Page, type TestInfo, test } from '@playwright/test';
import { fakeReport, fakeRun, withMessages } from '../testing/fake-run.ts';
import { openReport } from '../testing/pages.ts';
import { htmlOf } from './page.ts';

const fake = fakeRun({ crowd: 5 });
const report = fakeReport(fake, { playAlone: (check) => `play <it> --only ${check}` });

const open = (page: Page, info: TestInfo, shown = report) => openReport(page, info, htmlOf(shown));

const OUTCOMES = ['fail', 'inconclusive', 'warning', 'pass', 'not-applicable'];

/** The places of the outcomes of these elements in the order from bad to good. */
const outcomesOf = async (elements: Locator) =>
  (await elements.evaluateAll((all) => all.map(({ className }) => className.split(' ')))).map((classes) =>
    OUTCOMES.findIndex((outcome) => classes.includes(outcome)),
  );

test('cards and requirements come the worst first, the failing cards open', async ({ page }, info) => {
  await open(page, info);
  for (const [selector, number] of [
    ['.check-card', 18],
    ['tr.row', report.requirements.length],
  ] as const) {
    const order = await outcomesOf(page.locator(selector));
    expect(order).toHaveLength(number);
    expect([...new Set(order)]).toEqual([0, 1, 2, 3, 4]);
    expect(order).toEqual(order.toSorted());
  }
  const opened = await page.locator('.check-card[open]').evaluateAll((all) => all.map(({ id }) => id));
  expect(opened.join(' ')).toBe(
    'check-auth-info-ttl check-session-dead-after-logout check-wrong-code-refused',
  );
  await expect(page.locator('#requirement-K-deletion-forgets')).toContainText(
    'Not judged because: the adapter declares that the server has no step deleteUser',
  );
  await expect(page.getByText('Not judged because: no check judges it').first()).toBeVisible();
});

test('a card has requirement, expectation, evidence, blame, advice and command', async ({ page }, info) => {
  await open(page, info);
  const card = page.locator('#check-auth-info-ttl');
  for (const part of [
    /authInfo.ttl is a JSON integer that states how long the session record lives\..* §2\.3, 2\.3-ttl/,
    'Expecteda JSON integer',
    'Actualthe string "86400", in 6 of 6 calls',
    'To blameauth server',
    'To doSend ttl as a JSON number, in minutes: 1440, not "86400".',
    'Play it alone: play <it> --only auth-info-ttl',
  ])
    await expect(card).toContainText(part);
  await expect(card.locator('.arrow.marked', { hasText: 'save_auth_info' }).first()).toBeVisible();
  await expect(page.locator('.causes')).toContainText('5 causes of 5 checks that are not green');
});

test('injected faults are marked, and a missing answer is crossed out', async ({ page }, info) => {
  await open(page, info);
  const card = page.locator('#check-answer-in-time');
  await card.locator('> summary').click();
  await expect(card.locator('.arrow', { hasText: 'fault on purpose: hang' }).first()).toBeVisible();
  await expect(card.locator('.reply.lost.broken').first()).toBeVisible();
  await expect(card).toContainText("wrong on purpose: the EHR server's fault: hang");
});

test('verdict, parts, seed, duration and configuration stand in the page', async ({ page }, info) => {
  // Times of scenarios are not added: some are played at once.
  const scenarios = report.scenarios.map((each) => ({ ...each, took: 100_000 }));
  await open(page, info, { ...report, scenarios });
  const [about, head] = [page.locator('#run'), page.locator('header.top')];
  for (const part of [/Played8 scenarios in 3\d\.\d s/, '"apiVersion": "1.0-alpha"'])
    await expect(about).toContainText(part);
  const { interface: first, safety } = report.summary.parts;
  for (const part of ['Acme Identity 7.2 (staging)', 'Not conformant', first.headline, safety.headline])
    await expect(head).toContainText(part);
  await expect(head).toContainText(/Seed730219Made withembedded-ehr-harness 0.1.0Node/);
  await expect(head.getByRole('img')).toHaveAccessibleName(
    'Of 18 checks: 2 failed, 1 inconclusive, 2 warning, 11 passed, 2 not applicable',
  );
});

test('a scenario has its verdicts, in its head and in the margin', async ({ page }, info) => {
  await open(page, info);
  const scenario = page.locator('#scenario-returning-user');
  await expect(scenario.locator('> summary')).toContainText('1 failed');
  expect(await outcomesOf(page.locator('#scenario-returning-user, #scenario-crowd'))).toEqual([0, 3]);
  await scenario.locator('> summary').click();
  const mark = scenario.locator('.margin.fail').first();
  await expect(mark).toHaveAttribute('href', '#check-auth-info-ttl');
  await expect(mark).toHaveAccessibleName('fail: authInfo.ttl is a whole number of minutes');
  await page.locator('#scenarios').getByRole('button', { name: 'Open all' }).click();
  const marks = page.locator('#scenarios .margin');
  const shown = await marks.evaluateAll((all) =>
    all.map((each) => [each.getAttribute('href'), each.className]),
  );
  const due = new Map(report.verdicts.map(({ check, outcome }) => [`#check-${check}`, `margin ${outcome}`]));
  expect(shown.length).toBeGreaterThan(5);
  expect(shown).toEqual(shown.map(([href]) => [href, due.get(href ?? '')]));
  await expect(page.locator('#scenarios a[href="run.json"]')).toHaveCount(1);
});

test('every link leads to something in the page, and no id stands twice', async ({ page }, info) => {
  await open(page, info);
  const buttons = page.getByRole('button', { name: 'Open all' });
  await expect(buttons).toHaveCount(2);
  for (const button of await buttons.all()) await button.click();
  const { ids, targets, lost, away } = await page.evaluate(() => {
    const all = <E extends HTMLElement>(selector: string) => [...document.querySelectorAll<E>(selector)];
    const arrows = all<HTMLAnchorElement>('.arrow');
    for (const arrow of arrows) arrow.click();
    const messageOf = ({ hash }: HTMLAnchorElement) => `.message[data-seq="${hash.slice('#m'.length)}"]`;
    return {
      ids: all('[id]').map(({ id }) => `#${id}`),
      targets: all('a[href^="#"]').map((a) => a.getAttribute('href') ?? ''),
      lost: arrows.filter((arrow) => !arrow.closest('.group')?.querySelector(messageOf(arrow))).length,
      away: all('*')
        .flatMap(({ attributes }) => [...attributes])
        .filter(({ name }) => /^(?:src|srcset|href|action|poster|on[a-z]+)$/.test(name))
        .flatMap(({ name, value }) => (value.startsWith('#') ? [] : [`${name}=${value}`])),
    };
  });
  expect(new Set(ids).size).toBe(ids.length);
  expect(targets.length).toBeGreaterThan(200);
  expect(targets.filter((target) => !/^#m\d+$/.test(target) && !ids.includes(target))).toEqual([]);
  expect(lost).toBe(0);
  expect(away).toEqual(['href=data:,', 'href=run.json']);
});

test('a run that was broken off says so at head, scenario and step', async ({ page }, info) => {
  await open(page, info, fakeReport(fakeRun({ crowd: 1, finished: false })));
  await expect(page.locator('.verdict')).toHaveText('Not conformantbroken off');
  await expect(page.locator('.command')).toHaveCount(0);
  const scenario = page.locator('#scenario-crowd');
  await expect(scenario.locator('> summary')).toContainText('broken off');
  await scenario.locator('> summary').click();
  await expect(scenario.locator('.band .result.broken')).toHaveText('did not end');
});

test('a set-up that is not ready tells the problem and the remedy', async ({ page }, info) => {
  const run = { ...fake.run, entries: [] };
  const notSetUp = [{ problem: 'No answer at port 4200.', remedy: 'Start the server.' }];
  await open(page, info, fakeReport({ ...fake, run, verdicts: [] }, { notSetUp }));
  await expect(page.locator('.verdict')).toHaveText('Not set up');
  await expect(page.locator('.set-up li')).toHaveText('No answer at port 4200.Start the server.');
  await expect(page.getByText('No check was asked.')).toBeVisible();
});

test('a message has its trace, and says what is left out of it', async ({ page }, info) => {
  const [trace, body] = ['abc'.padEnd(32, '1'), 'x'.repeat(50_000)];
  const long = withMessages(fakeRun({ crowd: 100 }), (message) =>
    message.seq === 3 ? { ...message, trace, request: { ...message.request, body } } : message,
  );
  await open(page, info, fakeReport(long));
  const scenario = page.locator('#scenario-first-link');
  await scenario.locator('> summary').click();
  for (const seq of [3, 7]) await scenario.locator(`.arrow.call[href="#m${seq}"]`).click();
  await expect(scenario.locator('.trace')).toHaveText(`Trace ${trace}`);
  await expect(scenario.getByText('… 42000 more characters, in run.json')).toBeVisible();
  await expect(scenario.getByText('Too long for a curl here')).toHaveCount(1);
  const crowd = page.locator('#scenario-crowd');
  await crowd.locator('> summary').click();
  await expect(crowd.getByText('740 further messages in run.json')).toBeVisible();
  await expect(crowd.locator('.arrow.call')).toHaveCount(60);
});
