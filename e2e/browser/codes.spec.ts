import { otherCode } from './app.ts';
import { expect, proves, test } from './test.ts';

const PHONE = '79991112233';
const MINUTE_MS = 60_000;

test.use({ settings: { env: { AUTH_OTP_RESEND_AFTER: '30' } } });

test(
  'a wrong code is told, and the right one still works',
  proves(['1-phone-confirmed', 'DA-confirm-otp']),
  async ({ app }) => {
    await app.open();
    const code = await app.requestCode(PHONE);
    await app.enterCode(otherCode(code));
    await app.isTold('That code is not right');
    await app.enterCode(code);
    await app.sees('Find your record');
  },
);

test('a code that is too old is told, and a new one works', proves(['1-phone-confirmed']), async ({ app, world }) => {
  await app.open();
  const code = await app.requestCode(PHONE);
  world.clock.advance(5 * MINUTE_MS);
  await app.enterCode(code);
  await app.isTold('That code is too old');
  await app.press('Send a new code');
  await app.isNotified('A new code is on its way');
  await app.enterCode(world.auth.latestMessage(PHONE)?.code ?? '');
  await app.sees('Find your record');
});

test('after a new code the old one is worth nothing', proves(['1-phone-confirmed']), async ({ app, world }) => {
  await app.open();
  const old = await app.requestCode(PHONE);
  await app.press('Send a new code');
  await app.isTold('A code is on its way');
  world.clock.advance(MINUTE_MS);
  await app.press('Send a new code');
  await app.isNotified('A new code is on its way');
  const fresh = world.auth.latestMessage(PHONE)?.code ?? '';
  expect(fresh).not.toBe(old);
  await app.enterCode(old);
  await app.isTold('That code is not right');
  await app.enterCode(fresh);
  await app.sees('Find your record');
});

test('too many wrong codes end the code, and the user is told', proves(['1-phone-confirmed']), async ({ app }) => {
  await app.open();
  const code = await app.requestCode(PHONE);
  for (let attempt = 0; attempt < 5; attempt++) {
    await app.enterCode(otherCode(code));
    await app.isTold('That code is not right');
  }
  await app.enterCode(code);
  await app.isTold('Too many wrong codes');
});

test(
  'a code that was used opens no second session',
  proves(['1-phone-confirmed']),
  async ({ app, page, context, world }) => {
    await app.open();
    const code = await app.requestCode(PHONE);
    await app.enterCode(code);
    await app.sees('Find your record');
    const second = await context.newPage();
    await second.goto(page.url());
    await second.getByLabel('Phone number').fill(PHONE);
    world.clock.advance(MINUTE_MS);
    await second.getByRole('button', { name: 'Send code' }).click();
    await second.getByLabel('Code', { exact: true }).fill(code);
    await second.getByRole('button', { name: 'Confirm' }).click();
    await expect(second.getByRole('alert').filter({ hasText: 'That code is not right' })).toBeVisible();
  },
);
