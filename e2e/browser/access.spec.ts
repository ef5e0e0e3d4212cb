import { violationsOn } from '#testing/page.ts';
import { anna } from '#testing/people.ts';
import { expect, test } from './test.ts';

const PHONE = '79991112233';

const beyondScreen = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;

test.describe('a narrow dark screen', () => {
  test.use({ viewport: { width: 360, height: 740 }, colorScheme: 'dark', translated: true });

  test('every step is accessible, and nothing is cut off', async ({ app, page, world }) => {
    const expectAccessible = async () => {
      expect(await violationsOn(page)).toEqual([]);
      expect(await page.evaluate(beyondScreen)).toBeLessThanOrEqual(0);
    };
    await app.open();
    await expectAccessible();
    await app.press('Send code');
    await expectAccessible();
    const code = await app.requestCode(PHONE);
    await expectAccessible();
    await app.enterCode('000');
    await expectAccessible();
    await app.enterCode(code);
    await app.sees('Find your record');
    await expectAccessible();
    await app.press('Find my record');
    await expectAccessible();
    await app.findRecord({ ...anna, name: 'Olga' });
    await app.isTold('We could not find your record');
    await expectAccessible();
    // What was typed stays, and a reload leads back to the same step.
    await expect(page.getByLabel('Family name')).toHaveValue(anna.surname);
    await page.reload();
    await app.sees('Find your record');
    await app.findRecord(anna);
    await app.seesRecordOf(anna);
    await page.reload();
    await app.seesRecordOf(anna);
    await expectAccessible();
    const before = world.callsSeen().length;
    await app.press('Delete my data');
    await expectAccessible();
    await page.keyboard.press('Escape');
    await app.seesRecordOf(anna);
    expect(world.callsSeen().slice(before)).toEqual([]);
    world.proxies.clientToEhr.cut(true);
    await app.press('Log out');
    await app.sees('You are still signed in');
    await expectAccessible();
    world.proxies.clientToEhr.cut(false);
    await app.press('Try again');
    await app.sees('You are logged out');
    await expectAccessible();
  });
});

test('the whole flow works with the keyboard alone', async ({ app, page, world }) => {
  await app.open();
  const tabTo = async (name: string | RegExp) => {
    for (let presses = 0; presses < 40; presses++) {
      await page.keyboard.press('Tab');
      const focused = page.locator(':focus');
      const label = await focused.evaluate(
        (element) => (element as HTMLInputElement).labels?.[0]?.textContent ?? element.textContent ?? '',
      );
      if (typeof name === 'string' ? label.startsWith(name) : name.test(label)) return;
    }
    throw new Error(`Nothing named ${name} can be reached with the Tab key.`);
  };
  await tabTo('Phone number');
  await page.keyboard.type(PHONE);
  await page.keyboard.press('Enter');
  await app.sees('Enter the code');
  const field = page.getByRole('textbox', { name: 'Code', exact: true });
  await expect(field).toBeFocused();
  await expect(field).toHaveAccessibleDescription('We sent 6 digits to +7 999 111-22-33.');
  await expect(field).toBeInViewport();
  // A phone offers the code of a message to the page that the message names.
  await expect(field).toHaveAttribute('autocomplete', 'one-time-code');
  const { text = '', code = '' } = world.auth.latestMessage(PHONE) ?? {};
  expect(text.split('\n').at(-1)).toBe(`@${new URL(page.url()).hostname} #${code}`);
  await page.reload();
  await expect(field).toBeFocused();
  await page.keyboard.type(code);
  await page.keyboard.press('Enter');
  await app.sees('Find your record');
  await tabTo('Given name');
  await page.keyboard.type(anna.name);
  await tabTo('Family name');
  await page.keyboard.type(anna.surname);
  await tabTo('Date of birth');
  await page.keyboard.type('04121985');
  await tabTo('Phone number');
  await page.keyboard.press('Control+A');
  await page.keyboard.type(anna.phone);
  await page.keyboard.press('Enter');
  await app.seesRecordOf(anna);
  await expect(page.getByRole('region', { name: 'Authorization server' })).toContainText(
    'Patient data sent: none',
  );
  await tabTo(/^Log out/);
  await page.keyboard.press('Enter');
  await app.sees('You are logged out');
});
