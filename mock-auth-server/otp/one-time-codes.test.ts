import { join } from 'node:path';
import { expect, test } from 'vitest';
import { manualClock } from '#protocol/time/clock.ts';
import { seededRandom } from '#protocol/time/random.ts';
import { proves } from '#testing/proves.ts';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { memoryStore } from '../store/memory.ts';
import { ANNA, ANNA_MAIL } from '../testing/config.ts';
import { signedInWorld, startWorld, wrongCode } from '../testing/start.ts';
import { attributeOf, readAttribute } from './attribute.ts';
import { createOneTimeCodes } from './one-time-codes.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 1_440 * MINUTE_MS;

/** A world with the usual pause between codes. */
const pausing = () => startWorld({ config: { otpResendAfter: 30 } });

const LIMITS = { resendAfter: 30, perDay: 50, key: 'key' };

proves(['1-phone-confirmed', 'T-client-12'], 'a code of six digits opens a session once', async () => {
  const { call, reason, server } = await pausing();
  const sent = await call('auth.request_otp', { phone: '+7 (999) 000-00-01' });
  expect(sent).toEqual({ digits: 6, expiresIn: 300, resendAfter: 30 });
  const message = server.latestMessage(ANNA);
  expect(message).toEqual({
    to: ANNA,
    text: expect.stringContaining(message?.code ?? '?'),
    code: expect.stringMatching(/^\d{6}$/),
    at: '2026-01-15T09:00:00.000Z',
  });
  const params = { phone: '89990000001', code: message?.code };
  expect(await call('auth.confirm_otp', params)).toMatchObject({ linked: false });
  expect(await reason('auth.confirm_otp', params)).toBe('otp_wrong');
});

proves(['1-other-attribute'], 'an e-mail address is confirmed alike, in any case', async () => {
  const { call, code } = await pausing();
  const sent = await code('Anna.Petrova@Example.org');
  expect(await call('auth.confirm_otp', { email: ANNA_MAIL, code: sent })).toMatchObject({ linked: false });
});

test('phone and e-mail together, or neither, are refused', async () => {
  const { reason } = await pausing();
  expect(await reason('auth.request_otp', { phone: ANNA, email: ANNA_MAIL })).toBe('invalid_params');
  expect(await reason('auth.request_otp', {})).toBe('invalid_params');
  expect(await reason('auth.confirm_otp', { code: '123456' })).toBe('invalid_params');
});

proves(['1-phone-confirmed', 'T-client-12'], 'a code is worthless for another phone or address', async () => {
  const { code, reason } = await pausing();
  const sent = await code(ANNA);
  const other = await code('79990000002');
  expect(other).not.toBe(sent);
  expect(await reason('auth.confirm_otp', { phone: '79990000002', code: sent })).toBe('otp_wrong');
  expect(await reason('auth.confirm_otp', { email: ANNA_MAIL, code: sent })).toBe('otp_wrong');
});

proves(['K-code-expires'], 'a code works until 4:59.999 and not at 5:00.000', async () => {
  const { call, clock, code, reason } = await pausing();
  const first = await code(ANNA);
  clock.advance(5 * MINUTE_MS - 1);
  await call('auth.confirm_otp', { phone: ANNA, code: first });
  const second = await code(ANNA);
  clock.advance(5 * MINUTE_MS);
  expect(await reason('auth.confirm_otp', { phone: ANNA, code: second })).toBe('otp_expired');
  expect(await reason('auth.confirm_otp', { phone: ANNA, code: wrongCode(second) })).toBe('otp_expired');
});

proves(['K-code-tries-limited', 'T-client-12'], 'five wrong tries end a code, a new one works', async () => {
  const { call, clock, code, reason } = await pausing();
  const sent = await code(ANNA);
  for (let tries = 0; tries < 5; tries++)
    expect(await reason('auth.confirm_otp', { phone: ANNA, code: wrongCode(sent) })).toBe('otp_wrong');
  expect(await reason('auth.confirm_otp', { phone: ANNA, code: sent })).toBe('otp_exhausted');
  clock.advance(30 * SECOND_MS);
  const fresh = await code(ANNA);
  expect(await call('auth.confirm_otp', { phone: ANNA, code: fresh })).toHaveProperty('authInfo');
});

proves(['K-code-superseded'], 'another code can be had after the interval, and ends the old', async () => {
  const { call, clock, code, reason, refusal, server } = await pausing();
  const old = await code(ANNA);
  clock.advance(30 * SECOND_MS - 1);
  expect(await refusal('auth.request_otp', { phone: ANNA })).toMatchObject({
    reason: 'otp_throttled',
    code: -35003,
  });
  expect(server.outbox.list(ANNA)).toHaveLength(1);
  clock.advance(1);
  const fresh = await code(ANNA);
  expect(fresh).not.toBe(old);
  expect(await reason('auth.confirm_otp', { phone: ANNA, code: old })).toBe('otp_wrong');
  expect(await call('auth.confirm_otp', { phone: ANNA, code: fresh })).toHaveProperty('authInfo');
});

proves(['T-client-13'], 'the resend interval holds for each phone and address by itself', async () => {
  const { call, reason } = await pausing();
  await call('auth.request_otp', { phone: ANNA });
  await call('auth.request_otp', { phone: '79990000002' });
  await call('auth.request_otp', { email: ANNA_MAIL });
  expect(await reason('auth.request_otp', { phone: '8-999-000-00-01' })).toBe('otp_throttled');
  expect(await reason('auth.request_otp', { email: ANNA_MAIL.toUpperCase() })).toBe('otp_throttled');
});

test('the pause between two codes survives a confirmation, a deletion and a restart', async () => {
  const database = join(temporaryFolder(), 'auth.sqlite');
  const world = await startWorld({ config: { otpResendAfter: 30, database } });
  const { call, clock, code, reason, restart, signIn } = world;
  const { authInfo } = await signIn(ANNA);
  const throttled = async () =>
    expect(await reason('auth.request_otp', { phone: ANNA })).toBe('otp_throttled');
  clock.advance(30 * SECOND_MS - 1);
  await throttled();
  await call('auth.delete_user', {}, authInfo);
  await throttled();
  await restart();
  await throttled();
  clock.advance(1);
  expect(await code(ANNA)).toMatch(/^\d{6}$/);
});

proves(['T-client-17'], 'a phone gets so many codes within 24 hours', async () => {
  const config = { otpPerDay: 3 };
  const { authInfo, call, clock, code, refusal, signIn } = await signedInWorld({ config }, ANNA);
  clock.advance(MINUTE_MS);
  await signIn('8 999 000-00-01');
  await call('auth.delete_user', {}, authInfo);
  await code(ANNA);
  const refused = { code: -35004, reason: 'otp_limit_reached' };
  expect(await refusal('auth.request_otp', { phone: ANNA })).toEqual(refused);
  // Other recipients are counted separately.
  await code('79990000002');
  await code(ANNA_MAIL);
  clock.advance(DAY_MS - MINUTE_MS - 1);
  expect(await refusal('auth.request_otp', { phone: ANNA })).toEqual(refused);
  clock.advance(1);
  await code(ANNA);
  expect(await refusal('auth.request_otp', { phone: ANNA })).toEqual(refused);
});

proves(['K-known-unknown-alike'], 'known and unknown phones are answered alike', async () => {
  const { call, clock, code, refusal, signIn } = await pausing();
  await signIn(ANNA);
  clock.advance(MINUTE_MS);
  const stranger = '79991112233';
  expect(await refusal('auth.confirm_otp', { phone: ANNA, code: '123456' })).toEqual(
    await refusal('auth.confirm_otp', { phone: stranger, code: '123456' }),
  );
  expect(await call('auth.request_otp', { phone: ANNA })).toEqual(
    await call('auth.request_otp', { phone: stranger }),
  );
  expect(await refusal('auth.request_otp', { phone: ANNA })).toEqual(
    await refusal('auth.request_otp', { phone: stranger }),
  );
  const refused = (phone: string) => refusal('auth.confirm_otp', { phone, code: 'no code' });
  for (let tries = 0; tries < 6; tries++) expect(await refused(ANNA)).toEqual(await refused(stranger));
  clock.advance(10 * MINUTE_MS);
  expect(await refused(ANNA)).toEqual(await refused(stranger));
  expect((await code(ANNA)).length).toBe((await code(stranger)).length);
});

test('of two confirmations of one code at the same time, one succeeds', async () => {
  const { call, code } = await pausing();
  const sent = await code(ANNA);
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, () => call('auth.confirm_otp', { phone: ANNA, code: sent })),
  );
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('a code in use by a waiting call is refused, not counted', async () => {
  const { call, code, ehr, reason } = await pausing();
  const sent = await code(ANNA);
  const confirm = { phone: ANNA, code: sent };
  const { asked, goOn } = await ehr.holding(() =>
    call('auth.confirm_otp', { ...confirm, ehr_user_sign: 'sign' }),
  );
  for (let tries = 0; tries < 6; tries++) expect(await reason('auth.confirm_otp', confirm)).toBe('otp_wrong');
  goOn();
  expect(await asked).toMatchObject({ linked: true });
  expect(ehr.received).toHaveLength(1);
});

test('a code replaced while the EHR server was asked opens no session', async () => {
  const config = { ehrTimeout: 120_000, otpResendAfter: 30 };
  const { clock, code, confirmation, ehr, refusal } = await startWorld({ config });
  const params = await confirmation(ANNA, 'sign');
  const { asked, goOn } = await ehr.holding(() => refusal('auth.confirm_otp', params));
  clock.advance(MINUTE_MS);
  await code(ANNA);
  goOn();
  expect(await asked).toMatchObject({ reason: 'otp_wrong' });
});

test('a code is stored as a hash that no two phones share', () => {
  const store = memoryStore();
  const codes = createOneTimeCodes(store, manualClock(), seededRandom(1), LIMITS);
  const sent = codes.issue({ kind: 'phone', value: '1' });
  const stored = store.codes.find({ kind: 'phone', value: '1' });
  expect(Buffer.from(stored?.hash ?? []).includes(sent)).toBe(false);
  expect(stored?.hash).toHaveLength(32);
  codes.issue({ kind: 'phone', value: '2' });
  expect(store.codes.find({ kind: 'phone', value: '2' })?.salt).not.toEqual(stored?.salt);
  store.close();
});

test('a code too many on the way is refused and leaves nothing', () => {
  const store = memoryStore();
  const clock = manualClock();
  const codes = createOneTimeCodes(store, clock, seededRandom(1), { ...LIMITS, pending: 3 });
  const issue = (value: string) => store.atomically(() => codes.issue({ kind: 'phone', value }));
  for (const value of ['1', '2', '3']) issue(value);
  expect(() => issue('4')).toThrow('A code was sent a moment ago.');
  expect(store.codes.find({ kind: 'phone', value: '4' })).toBeUndefined();
  clock.advance(5 * MINUTE_MS);
  expect(issue('4')).toMatch(/^\d{6}$/);
  store.close();
});

test('a clock set back lengthens no pause, and the next is usual', async () => {
  const { call, clock, code, reason } = await pausing();
  await call('auth.request_otp', { phone: ANNA });
  clock.advance(-60 * MINUTE_MS);
  expect(await code(ANNA)).toMatch(/^\d{6}$/);
  expect(await reason('auth.request_otp', { phone: ANNA })).toBe('otp_throttled');
  clock.advance(30 * SECOND_MS);
  expect(await code(ANNA)).toMatch(/^\d{6}$/);
});

test('a clock two days ahead leaves nobody without a code', async () => {
  const { clock, code, reason } = await startWorld({ config: { otpPerDay: 1 } });
  await code(ANNA);
  clock.advance(-2 * DAY_MS);
  await code(ANNA);
  expect(await reason('auth.request_otp', { phone: ANNA })).toBe('otp_limit_reached');
});

test('an attribute is read in the one form in which it is stored', () => {
  expect(readAttribute('8 (999) 000-00-01')).toEqual({ kind: 'phone', value: '79990000001' });
  expect(readAttribute('Anna@Example.org')).toEqual({ kind: 'email', value: 'anna@example.org' });
  for (const neither of ['', 'anna', `${'a'.repeat(250)}@example.org`])
    expect(readAttribute(neither)).toBeUndefined();
});

test('the attribute of a call is its phone or address, and never missing', () => {
  expect(attributeOf({ phone: '79990000001' })).toEqual({ kind: 'phone', value: '79990000001' });
  expect(attributeOf({ email: 'anna@example.org' })).toEqual({ kind: 'email', value: 'anna@example.org' });
  expect(() => attributeOf({})).toThrow('The parameters carry neither a phone nor an e-mail address.');
});
