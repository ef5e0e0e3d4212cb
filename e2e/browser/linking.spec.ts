import { findCanaries } from '#conformance/engine/journal/secrets/canaries.ts';
import { canaryPatient, canaryProperties, canaryValues } from '#testing/canary-patient.ts';
import { anna } from '#testing/people.ts';
import { expect, proves, test } from './test.ts';

const PHONE = '79991112233';
const MINUTE_MS = 60_000;

test(
  'first link: sign in, give the details, see the record; the authorization server learns none of them',
  proves([
    '1-form-on-refusal',
    '1-exchange-token-requested',
    '1-auth-told-of-link',
    '1-properties-not-to-auth',
    '1-properties-straight-to-ehr',
    '5.4-authenticate-no-cred',
    '4.3-params',
    '2.5-names',
    '2.5-date',
    '2.5-phone',
    'D7-configured-origins',
    'D7-credentials',
    'DA-cors',
  ]),
  async ({ app, world, page }) => {
    await app.connect(PHONE, canaryProperties);
    await expect(page.getByText(canaryPatient.medcardNumber ?? '')).toBeVisible();
    expect(world.callsSeen()).toEqual([
      'auth auth.request_otp',
      'auth auth.confirm_otp',
      'ehr patient.get_patient',
      'ehr embedded_storage.save_exchange_token',
      'auth auth.exchange_token',
      'ehr embedded_storage.authenticate',
      'ehr embedded_storage.save_auth_info',
      'auth auth.report_link',
    ]);
    const toEhr = findCanaries(world.proxies.clientToEhr.received(), canaryValues).map(({ value }) => value);
    for (const value of [canaryPatient.surname, canaryPatient.name, '48601777333', '1931-07-19'])
      expect(toEhr).toContain(value);
    expect(world.proxies.clientToEhr.received().toString()).toContain('1931-07-19 00:00:00.000');
    const panel = page.getByRole('region', { name: 'Authorization server' });
    await expect(panel).toContainText('Patient data sent: none');
  },
);

test(
  'a returning user sees the record after the code alone',
  proves(['1-matched-user-saved-directly', 'DA-sign-in-with-sign', '4.5-called-at-exit']),
  async ({ app, world }) => {
    await app.connect(PHONE, anna);
    await app.press('Log out');
    await app.sees('You are logged out');
    world.clock.advance(MINUTE_MS);
    const before = world.callsSeen().length;
    await app.press('Sign in again');
    await app.signIn(PHONE);
    await app.seesRecordOf(anna);
    expect(world.callsSeen().slice(before)).toEqual([
      'auth auth.request_otp',
      'ehr embedded_storage.save_auth_info',
      'auth auth.confirm_otp',
      'ehr patient.get_patient',
    ]);
    expect(world.proxies.clientToAuth.received().toString()).toContain('ehr_user_sign');
  },
);

test(
  'an exchange token still works at 9:59.999',
  proves(['D11-exchange-token-boundary', '1-authenticate-in-time']),
  async ({ app, world }) => {
    await app.open();
    await app.signIn(PHONE);
    await app.findRecord({ ...anna, name: 'Olga' });
    await app.isTold('We could not find your record');
    world.clock.advance(10 * MINUTE_MS - 1);
    await app.findRecord(anna);
    await app.seesRecordOf(anna);
    expect(world.callsSeen().filter((call) => call === 'auth auth.exchange_token')).toHaveLength(1);
  },
);

test(
  'at 10:00.000 the user is told, and the next try takes a new exchange token',
  proves(['D11-exchange-token-boundary', '7-client-handles-errors', 'DE-exchange-token-expired']),
  async ({ app, world }) => {
    await app.open();
    await app.signIn(PHONE);
    await app.findRecord({ ...anna, name: 'Olga' });
    await app.isTold('We could not find your record');
    world.clock.advance(10 * MINUTE_MS);
    await app.findRecord(anna);
    await app.isTold('Please send your details once more');
    await app.press('Find my record');
    await app.seesRecordOf(anna);
  },
);

test(
  'wrong details can be corrected, and what was typed stays',
  proves(['D13-failed-match-keeps-token', '7-client-handles-errors', 'DE-patient-not-matched']),
  async ({ app, page }) => {
    await app.open();
    await app.signIn(PHONE);
    await app.findRecord({ ...anna, surname: 'Petrov' });
    await app.isTold('We could not find your record');
    await expect(page.getByLabel('Given name')).toHaveValue('Anna');
    await page.getByLabel('Family name').fill('Petrova');
    await app.press('Find my record');
    await app.seesRecordOf(anna);
  },
);

test(
  'a patient who is linked to another user is told so',
  proves(['DE-patient-already-linked', '7-client-handles-errors']),
  async ({ app, world }) => {
    await app.connect(PHONE, anna);
    await app.press('Log out');
    world.clock.advance(MINUTE_MS);
    await app.press('Sign in again');
    await app.page.evaluate(() => localStorage.clear());
    await app.open();
    await app.signIn('79994445566');
    await app.findRecord(anna);
    await app.isTold('This record is already connected');
  },
);

test.describe('with sessions of half an hour', () => {
  test.use({ settings: { env: { AUTH_SESSION_TTL: '30' } } });

  test(
    'when the session runs out the user is told, and signs in again to the record',
    proves(['DE-session-expired', 'D12-new-token-after-expiry']),
    async ({ app, world, page }) => {
      await app.connect(PHONE, anna);
      world.clock.advance(30 * MINUTE_MS);
      await page.reload();
      await app.isNotified('Your session has ended');
      await app.press('Send code');
      await app.sees('Enter the code');
      await app.enterCode(world.auth.latestMessage(PHONE)?.code ?? '');
      await app.seesRecordOf(anna);
    },
  );

  test('a user who was never linked learns it when the form is sent', async ({ app, world, page }) => {
    await app.open();
    await app.signIn(PHONE);
    await app.sees('Find your record');
    world.clock.advance(30 * MINUTE_MS);
    await page.reload();
    await app.sees('Find your record');
    await app.findRecord(anna);
    await app.isNotified('Your session has ended. Please sign in again.');
  });
});

test(
  "a patient linked from another phone is refused to the patient's own, until the other phone disconnects",
  proves(['DE-patient-already-linked', 'D20-link-removed']),
  async ({ app, world, page }) => {
    await app.connect(PHONE, anna);
    await app.press('Log out');
    await app.sees('You are logged out');
    await page.evaluate(() => localStorage.clear());
    await app.open();
    await app.signIn(anna.phone);
    await app.findRecord(anna);
    await app.isTold('This record is already connected');
    await app.press('Log out');
    await app.sees('You are logged out');
    world.clock.advance(MINUTE_MS);
    await app.open();
    await app.signIn(PHONE);
    await app.seesRecordOf(anna);
    await app.press('Disconnect records');
    await app.press('Yes, disconnect');
    await app.sees('Find your record');
    await app.press('Log out');
    await app.sees('You are logged out');
    world.clock.advance(MINUTE_MS);
    await app.open();
    await app.signIn(anna.phone);
    await app.findRecord(anna);
    await app.seesRecordOf(anna);
  },
);

test('a reload keeps the record, and the form before it', async ({ app, page }) => {
  await app.open();
  await app.signIn(PHONE);
  await app.sees('Find your record');
  await page.reload();
  await app.sees('Find your record');
  await app.findRecord(anna);
  await app.seesRecordOf(anna);
  await page.reload();
  await app.seesRecordOf(anna);
});
