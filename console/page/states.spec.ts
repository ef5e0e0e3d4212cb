/** Every state of the page as somebody sees it: no heading is broken, nothing is cut, nobody is kept out. */
import { expect, type Page } from '@playwright/test';
import { brokenWords, line, open, test, violations } from './testing/console-test.ts';
import { type FakeConsole, type FakeOptions, scriptedOverview } from './testing/fake-console.ts';

// One browser for all of them.
test.describe.configure({ mode: 'default', timeout: 240_000 });
test.use({ timezoneId: 'UTC' });

type PageUnderTest = { page: Page; fake: FakeConsole };
/** Each state begins where the one before it in its list ended. */
type PageState = readonly [name: string, show: (seen: PageUnderTest) => Promise<unknown>];

type Look = readonly [width: number, colorScheme: 'light' | 'dark'];

const TWO: readonly Look[] = [
  [390, 'dark'],
  [1280, 'light'],
];
const ALL: readonly Look[] = [390, 900, 1280].flatMap((width): Look[] => [
  [width, 'dark'],
  [width, 'light'],
]);
const IS_LONG = process.env.TEST_ALL !== undefined;
const looks = IS_LONG ? ALL : TWO;

/** The person acts on a narrow screen, and each state is looked at in all looks. */
const NARROW = { width: 390, height: 844 };

const { clock } = scriptedOverview;
const MOVED_MS = 86_400_000 + 600_000;
/** A demo with a moved clock, and with trouble on two wires. */
const troubled: FakeOptions = {
  overview: {
    clock: { ...clock, now: clock.now + MOVED_MS, offsetMs: MOVED_MS },
    faults: [
      {
        ...{ id: 1, wire: 'auth->ehr', fault: 'reply-lost', method: 'embedded_storage.save_exchange_token' },
        times: 2,
        left: 2,
        met: 0,
      },
      { id: 2, wire: 'client->ehr', fault: 'down', times: 'untilOff', left: 'untilOff', met: 3 },
    ],
  },
};

const atWork: readonly PageState[] = [
  ['lanes', ({ page, fake }) => open(page, fake)],
  [
    'broken-message',
    async ({ page }) => {
      await line(page, 10).click();
      await expect(page.locator('.route-method')).toBeVisible();
    },
  ],
  ['state', ({ page }) => page.keyboard.press('2')],
  ['verdicts', ({ page }) => page.keyboard.press('3')],
  ['controls', (seen) => turnTo(seen, 'Controls')],
  ['client', (seen) => turnTo(seen, 'Client')],
  [
    'own-client',
    async (seen) => {
      await seen.page.getByRole('button', { name: 'your own client' }).click();
      await expect(seen.page.getByRole('img', { name: 'QR: http://127.0.0.1:4300' })).toBeVisible();
    },
  ],
  [
    'scenario',
    async (seen) => {
      await closeDialog(seen);
      await turnTo(seen, 'Exchange');
      seen.fake.send('scenario', { id: 'first-link', step: 2, phase: 'playing' });
      await expect(seen.page.getByText('Step 2 of 3')).toBeVisible();
    },
  ],
];

const dialogs: readonly PageState[] = [
  [
    'trouble',
    async ({ page, fake }) => {
      await open(page, fake);
      await page.getByRole('button', { name: 'internal channel' }).click();
    },
  ],
  [
    'legend',
    async (seen) => {
      await closeDialog(seen);
      await seen.page.getByRole('button', { name: 'Legend' }).click();
    },
  ],
  ['time', (seen) => openFromControls(seen, 'Time…')],
  [
    'record',
    async (seen) => {
      await closeDialog(seen);
      await seen.page.keyboard.press('r');
      const dialog = seen.page.getByRole('dialog');
      await dialog.getByRole('textbox', { name: 'Name' }).fill('before the token ends');
      await dialog.getByRole('button', { name: 'Take a snapshot' }).click();
      await expect(dialog.getByRole('listitem')).toHaveCount(1);
    },
  ],
  [
    'keys',
    async (seen) => {
      await closeDialog(seen);
      await seen.page.keyboard.press('?');
    },
  ],
  ['reset', (seen) => openFromControls(seen, 'Reset')],
];

const gone: readonly PageState[] = [
  [
    'replay',
    async ({ page, fake }) => {
      await open(page, fake);
      await page.keyboard.press('r');
      const file = { name: 'run.json', mimeType: 'application/json', buffer: Buffer.from('{}') };
      await page.getByLabel('Open a run.json').setInputFiles(file);
      await expect(page.getByRole('button', { name: 'Back to live' }).last()).toBeVisible();
    },
  ],
  ['replay-client', (seen) => turnTo(seen, 'Client')],
  [
    'alarm',
    async (seen) => {
      await turnTo(seen, 'Exchange');
      seen.fake.send('alarm', { message: 10, found: ['name in the body'] });
      await expect(seen.page.getByRole('alert')).toContainText('name in the body');
    },
  ],
  [
    'lost',
    async ({ page, fake }) => {
      await fake.stop();
      await expect(page.getByText('The demo does not answer')).toBeVisible();
      // This key moves the clock of the demo, and the page tells that it failed.
      await page.keyboard.press('t');
      await expect(page.getByRole('alert').first()).toContainText('The demo does not answer');
    },
  ],
];

/** What the page looks like to those who come for the first time. */
const first: readonly PageState[] = [
  [
    'question-for-token',
    async ({ page, fake }) => {
      await page.goto(new URL('/', fake.address).href);
      await expect(page.getByRole('button', { name: 'Open' })).toBeVisible();
    },
  ],
  [
    'first-visit',
    async ({ page, fake }) => {
      await page.goto(fake.address);
      await expect(page.getByRole('heading', { name: 'The phone is confirmed' })).toBeVisible();
    },
  ],
  [
    'empty',
    async ({ page }) => {
      await page.getByRole('button', { name: 'Close' }).click();
      await expect(page.getByRole('heading', { name: 'Nothing has crossed yet' })).toBeVisible();
    },
  ],
];

/** On a wide screen these parts are there already. */
const TURNED_TO = ['controls', 'client', 'replay-client'];

const walks: readonly (readonly [title: string, settings: FakeOptions, shown: readonly PageState[]])[] = [
  ['a first visit without a token and with one', { rows: [] }, first],
  ['the page at work', {}, atWork],
  ['a page with dialogs, a moved clock and troubled wires', troubled, dialogs],
  ['a page with a saved run, an alarm and a lost demo', {}, gone],
];

for (const [title, settings, shown] of walks)
  test.describe(() => {
    test.use({ viewport: NARROW, settings });

    test(`${title} keeps nobody out`, async ({ page, fake }, info) => {
      for (const [name, show] of shown) {
        await page.setViewportSize(NARROW);
        await show({ page, fake });
        for (const [width, colorScheme] of looks) {
          if (width > 1_200 && TURNED_TO.includes(name)) continue;
          const look = `${name}, ${width} px, ${colorScheme}`;
          await page.setViewportSize({ ...NARROW, width });
          await page.emulateMedia({ colorScheme });
          // Pictures are for people, who look through all of them.
          if (IS_LONG) await info.attach(look, { body: await page.screenshot(), contentType: 'image/png' });
          expect(await brokenWords(page), look).toEqual([]);
          const looksOnly = width > NARROW.width;
          expect(await violations(page, { looksOnly }), look).toEqual([]);
        }
      }
    });
  });

/** Shows one part of the page, where the screen is too narrow for all. */
async function turnTo({ page }: PageUnderTest, text: string): Promise<void> {
  const button = page.getByRole('navigation').getByRole('button', { name: text, exact: true });
  if (await button.isVisible()) await button.click();
}

async function closeDialog({ page }: PageUnderTest): Promise<void> {
  await page.keyboard.press('Escape');
  // It is hidden before the page knows that it was closed.
  await expect(page.locator('dialog')).toHaveCount(0);
}

async function openFromControls(seen: PageUnderTest, text: string): Promise<void> {
  await closeDialog(seen);
  await turnTo(seen, 'Controls');
  await seen.page.getByRole('banner').getByRole('button', { name: text, exact: true }).click();
  await expect(seen.page.getByRole('dialog')).toBeVisible();
}
