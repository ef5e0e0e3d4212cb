/** A link with a situation: the page asks before it opens it, and says at once where it cannot. */
import { expect } from '@playwright/test';
import type { Moment } from '../api.ts';
import { linkTo } from './model/moment-link.ts';
import { open, test, violations } from './testing/console-test.ts';

// One browser for all of them.
test.describe.configure({ mode: 'default', timeout: 60_000 });

const moment: Moment = {
  ...{ version: 1, seed: 7, scenario: 'token-ends', step: 2, movedMs: 0, faults: [] },
  skewMs: { client: 0, auth: 0, ehr: 0 },
};

test('a link that cannot be read says so at once', async ({ page, fake }) => {
  await open(page, fake);
  for (const [content, words] of [
    ['{"version":1}', 'No situation can be read from it'],
    ['{"version":99}', 'Its situation has version 99, and this demo reads version 1'],
  ] as const) {
    await page.goto('about:blank');
    await page.goto(`${fake.address}#moment=${encodeURIComponent(content)}`);
    const dialog = page.getByRole('dialog', { name: 'This link cannot be opened' });
    await expect(dialog).toContainText(words);
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect(dialog).toHaveCount(0);
  }
  expect(fake.asked).toEqual([]);
});

test('a link names the seeds only where they differ', async ({ page, fake }) => {
  await open(page, fake);
  const text = page.getByRole('dialog', { name: 'Open this situation?' });
  for (const [seed, times] of [
    [7, 0],
    [8, 1],
  ] as const) {
    await page.goto('about:blank');
    await page.goto(linkTo({ ...moment, seed }, fake.address));
    await expect(text).toContainText('The demo is reset first');
    await expect(text.getByText(`the link was made with seed ${seed}`)).toHaveCount(times);
  }
});
