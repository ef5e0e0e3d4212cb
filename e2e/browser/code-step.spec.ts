/** The step of the code: its field has the focus, and is told by the message which page it belongs to. */
import { expect, test } from './test.ts';

const PHONE = '79991112233';

test('the field of the code says what belongs in it, and takes the message', async ({ app, page, world }) => {
  await app.open();
  const code = await app.requestCode(PHONE);
  const field = page.getByRole('textbox', { name: 'Code', exact: true });
  await expect(field).toBeFocused();
  await expect(field).toHaveAccessibleDescription('We sent 6 digits to +7 999 111-22-33.');
  await expect(field).toBeInViewport();
  // A phone offers the code of a message to the page that the message names.
  await expect(field).toHaveAttribute('autocomplete', 'one-time-code');
  const text = world.auth.latestMessage(PHONE)?.text ?? '';
  expect(text.split('\n').at(-1)).toBe(`@${new URL(page.url()).hostname} #${code}`);
  await page.reload();
  await expect(field).toBeFocused();
});
