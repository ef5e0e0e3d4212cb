/** The page of all flows, opened by a person after a red run. */
import { expect, test } from '@playwright/test';
import { fakeRun } from '#conformance/engine/report/testing/fake-run.ts';
import { openReport } from '#conformance/engine/report/testing/pages.ts';
import { type Flow, flowsPage } from './flows-page.ts';

/** The message at which the flow that failed differs from the right one. */
const DIFFERING_SEQ = 3;

const { entries } = fakeRun({ crowd: 1 }).run;
const good: Flow = { file: 'e2e/flows/flows.test.ts', title: 'first: 1', passed: true, seconds: 1, entries };
const failure = {
  sentence: 'It is wrong.',
  difference: { seq: DIFFERING_SEQ, text: 'x. In the right flow it is y.' },
};
const bad: Flow = { ...good, title: 'second: 2', passed: false, failure };

test('the page begins with what failed, open at the message that differs', async ({ page }, info) => {
  // Given in the order of the run: the page puts first what failed.
  const complaints = await openReport(page, info, flowsPage([good, bad]));
  await expect(page.getByRole('heading', { level: 2 }).first()).toHaveText('What failed');
  const cards = page.locator('details.card');
  await expect(cards).toHaveCount(2);
  await expect(cards.first()).toContainText('second: 2');
  await expect(cards.first()).toHaveAttribute('open');
  await expect(cards.last()).not.toHaveAttribute('open');
  const message = page.locator(`#flow-0 .message[data-seq="${DIFFERING_SEQ}"]`);
  await expect(message).toHaveAttribute('open');
  await expect(page.locator('.message[open]')).toHaveCount(1);
  await page
    .getByRole('link', { name: /^message 3 is x/ })
    .first()
    .click();
  await expect(message).toBeInViewport();
  await page.getByRole('radio', { name: 'passed' }).check();
  await expect(cards.first()).toBeHidden();
  await expect(cards.last()).toBeVisible();
  expect(complaints).toEqual([]);
});

test('a failed flow is open also behind the passed flows of an earlier file', async ({ page }, info) => {
  const others = ['a: 1', 'b: 2', 'c: 3'].map((title) => ({ ...good, title }));
  await openReport(page, info, flowsPage([bad, ...others, { ...bad, file: 'e2e/flows/later.test.ts' }]));
  await expect(page.locator('details.card[open]')).toHaveCount(2);
});
