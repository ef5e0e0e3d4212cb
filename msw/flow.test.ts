import { expect, test } from 'vitest';
import { personas, propertiesOf } from '#mis-fixtures/personas.ts';
import { RpcError } from '#protocol/wire/errors.ts';
import { ehrHandlers } from './ehr-handlers.ts';
import { rpc } from './rpc.ts';
import { AUTH, credOf, EHR, useMocks } from './testing.ts';

const { anna, orphan, rufus, twins, namesakes, boris } = personas;
const MINUTE_MS = 60_000;

test('a client goes through the whole flow: sign in, link, read, sign in again, log out, disconnect', async () => {
  const { toEhr, toAuth, signIn, link, clock } = useMocks();
  const cred = credOf(await signIn(anna.signIn));
  expect((await toEhr('patient.get_patient', {}, cred)).error?.data.reason).toBe('not_authorized');

  const linked = await link(cred, propertiesOf(anna));
  expect(linked.result).toMatchObject({ patient: anna.patients[0], userSign: expect.stringMatching(/^[\w-]{43}$/) });
  const userSign = linked.result?.userSign as string;
  expect((await toAuth('auth.report_link', { user_sign: userSign }, cred)).result).toEqual({});
  expect((await toEhr('patient.get_patient', {}, cred)).result).toEqual(linked.result);

  clock.advance(MINUTE_MS);
  const again = await signIn(anna.signIn, userSign);
  expect(again.result?.linked).toBe(true);
  const second = credOf(again);
  expect((await toEhr('patient.get_patient', {}, second)).result).toEqual(linked.result);

  expect((await toEhr('embedded_storage.remove_auth_info', {}, second)).result).toEqual({});
  expect((await toAuth('auth.logout', {}, second)).result).toEqual({});
  expect((await toEhr('patient.get_patient', {}, second)).error?.data.reason).toBe('not_authorized');

  expect((await toEhr('embedded_storage.remove_authentication', {}, cred)).result).toEqual({});
  expect((await toAuth('auth.delete_user', {}, cred)).result).toEqual({});
  clock.advance(MINUTE_MS);
  expect((await signIn(anna.signIn)).result?.linked).toBe(false);
});

test('the MEDCARD strategy, the twins and the namesakes are answered as the personas say', async () => {
  const { signIn, link } = useMocks();
  const card = { phone: rufus.signIn, searchStrategy: 'MEDCARD', medCardId: '123456' };
  expect((await link(credOf(await signIn(rufus.signIn)), card)).result).toMatchObject({ patient: { id: 'p-rufus' } });
  const cred = credOf(await signIn(twins.signIn));
  expect((await link(cred, propertiesOf(twins, 1))).result).toMatchObject({ patient: { name: 'Oleg' } });
  expect((await link(cred, propertiesOf(twins, 0))).error?.data.reason).toBe('patient_already_matched');
  expect((await link(credOf(await signIn(namesakes.signIn)), propertiesOf(namesakes))).error?.data.reason).toBe(
    'patient_not_matched',
  );
});

test('a user without correspondence entry is linked, and then refused by the authorization server', async () => {
  const { signIn, link, toAuth } = useMocks();
  const cred = credOf(await signIn(orphan.signIn));
  const { result } = await link(cred, propertiesOf(orphan));
  expect((await toAuth('auth.report_link', { user_sign: result?.userSign }, cred)).error?.data.reason).toBe(
    'user_unknown',
  );
});

test('sessions and exchange tokens expire on the clock that was handed in', async () => {
  const { signIn, link, toEhr, toAuth, clock } = useMocks();
  const cred = credOf(await signIn(anna.signIn));
  const { result } = await toAuth('auth.exchange_token', {}, cred);
  clock.advance(10 * MINUTE_MS);
  const late = { exchangeToken: result?.exchangeToken, patientProperties: propertiesOf(anna) };
  expect((await toEhr('embedded_storage.authenticate', late)).error?.data.reason).toBe('exchange_token_expired');
  await link(cred, propertiesOf(anna));
  clock.advance(1440 * MINUTE_MS);
  expect((await toEhr('patient.get_patient', {}, cred)).error?.data.reason).toBe('session_expired');
});

test('reset forgets users, sessions, links, codes and messages', async () => {
  const { signIn, link, toEhr, ehr, auth } = useMocks();
  const cred = credOf(await signIn(anna.signIn));
  await link(cred, propertiesOf(anna));
  ehr.reset();
  auth.reset();
  expect(auth.outbox.messages()).toEqual([]);
  expect((await toEhr('patient.get_patient', {}, cred)).error?.data.reason).toBe('not_authorized');
  // Neither the pause between codes nor the old link is left.
  const other = credOf(await signIn(anna.signIn));
  expect((await link(other, propertiesOf(anna))).result).toBeDefined();
});

test('the outbox tells the newest code of a phone in any notation, and says what was sent when there is none', async () => {
  const { auth, toAuth, clock } = useMocks();
  expect(() => auth.outbox.code(anna.signIn)).toThrow('none was sent. Messages were sent to: nobody.');
  await toAuth('auth.request_otp', { phone: anna.signIn });
  const first = auth.outbox.code('+7 (999) 000-00-01');
  expect(first).toMatch(/^\d{6}$/);
  expect((await toAuth('auth.request_otp', { phone: anna.signIn })).error?.data.reason).toBe('otp_throttled');
  clock.advance(30_000);
  await toAuth('auth.request_otp', { phone: anna.signIn });
  expect(auth.outbox.messages(anna.signIn).map(({ code }) => code)).toEqual([auth.outbox.code(anna.signIn), first]);
  expect(() => auth.outbox.code(boris.signIn)).toThrow(`Messages were sent to: ${anna.signIn}.`);
});

test('GET /outbox answers at once, or as soon as a message comes, or empty after the wait', async () => {
  const { toAuth, clock } = useMocks();
  const read = async (query: string) => (await fetch(`${AUTH}/outbox?${query}`)).json() as Promise<{ to: string }[]>;
  expect(await read(`to=${anna.signIn}`)).toEqual([]);
  const waiting = read(`to=${anna.signIn}&wait=5`);
  await toAuth('auth.request_otp', { phone: anna.signIn });
  expect(await waiting).toMatchObject([{ to: anna.signIn, text: expect.stringContaining('Your code is') }]);
  expect(await read(`to=${anna.signIn}&wait=5`)).toHaveLength(1);
  let settled = false;
  const empty = read('to=79990000099&wait=5').finally(() => {
    settled = true;
  });
  await toAuth('auth.request_otp', { phone: boris.signIn });
  expect(settled).toBe(false);
  clock.advance(5_000);
  expect(await empty).toEqual([]);
  expect((await fetch(`${AUTH}/outbox?wait=soon`)).status).toBe(400);
});

test('an e-mail address signs in as well, and the test login only when it is allowed', async () => {
  const { auth, toAuth } = useMocks({ auth: { allowTestLogin: true } });
  await toAuth('auth.request_otp', { email: 'Anna@Example.org' });
  const confirmed = await toAuth('auth.confirm_otp', {
    email: 'anna@example.org',
    code: auth.outbox.code('anna@example.org'),
  });
  expect(confirmed.result?.linked).toBe(false);
  expect((await toAuth('auth.login', { user: 'u-test' })).result?.authInfo).toMatchObject({ user: 'u-test' });
});

test('the test login is unknown unless it is allowed', async () => {
  const { toAuth } = useMocks();
  expect((await toAuth('auth.login', { user: 'u-test' })).error?.data.reason).toBe('method_not_found');
});

test('of two confirmations with one code one opens a session, also while the EHR server is asked', async () => {
  const { auth, toAuth, signIn, link, clock } = useMocks();
  const cred = credOf(await signIn(anna.signIn));
  const { result } = await link(cred, propertiesOf(anna));
  await toAuth('auth.report_link', { user_sign: result?.userSign }, cred);
  clock.advance(MINUTE_MS);
  await toAuth('auth.request_otp', { phone: anna.signIn });
  const code = auth.outbox.code(anna.signIn);
  const replies = await Promise.all([1, 2].map(() => toAuth('auth.confirm_otp', { phone: anna.signIn, code })));
  expect(replies.map((reply) => reply.error?.data.reason ?? 'ok').sort()).toEqual(['ok', 'otp_wrong']);
});

test('only the patients of the chosen personas are known', async () => {
  const { signIn, link } = useMocks({
    ehr: { personas: [boris, { patients: [{ ...anna.patients[0], id: 'p-mine' }] }] },
  });
  expect((await link(credOf(await signIn(anna.signIn)), propertiesOf(anna))).result).toMatchObject({
    patient: { id: 'p-mine' },
  });
  expect((await link(credOf(await signIn(rufus.signIn)), propertiesOf(rufus))).error?.data.reason).toBe(
    'patient_not_matched',
  );
});

test('the internal methods are served with the digests of the internal password', async () => {
  const { toEhr } = useMocks();
  const cred = { user: 'auth-server', token: '0'.repeat(40) };
  const params = { exchangeToken: 'x', authInfo: { user: 'u', token: 't', ttl: 5 } };
  expect((await toEhr('embedded_storage.save_exchange_token', params, cred)).error?.data.reason).toBe('not_authorized');
  expect((await toEhr('embedded_storage.save_auth_info', params, cred)).error?.data.reason).toBe('user_unknown');
});

test('rpc.discover describes the service', async () => {
  const { toEhr } = useMocks();
  expect((await toEhr('rpc.discover')).result).toMatchObject({ openrpc: '1.3.2' });
});

test('a method that is refused is overridden, and the EHR failing on the way is played at the authorization server', async () => {
  const { server, signIn, toAuth } = useMocks();
  const cred = credOf(await signIn(anna.signIn));
  server.use(
    rpc(AUTH).method('auth.exchange_token', () => {
      throw new RpcError('ehr_unreachable');
    }),
  );
  expect((await toAuth('auth.exchange_token', {}, cred)).error?.data.reason).toBe('ehr_unreachable');
});

test('another version and another place are told from the endpoint', async () => {
  const { post } = useMocks();
  const body = { jsonrpc: '2.0', id: 1, method: 'rpc.discover' };
  expect((await post(`${EHR}/1.0-alpha`, body)).status).toBe(200);
  const other = await post(`${EHR}/2.0/`, body);
  expect(other).toMatchObject({ status: 404, json: { error: { apiVersion: '1.0-alpha', endpoint: '/1.0-alpha/' } } });
});

test('a base URL that is none is refused with an example of one', () => {
  expect(() => ehrHandlers({ url: 'ehr' })).toThrow('"ehr" is no URL. Please give it as in http://localhost:4100.');
});
