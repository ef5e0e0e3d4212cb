import { expect, test } from 'vitest';
import { proves } from '#testing/proves.ts';
import { ANNA } from '../testing/config.ts';
import { callToEhr, signedInWorld, startWorld } from '../testing/start.ts';

type GivenRules = { exchangeToken: string };

proves(
  [
    'K-token-entropy',
    '1-exchange-token-to-client',
    '1-exchange-token-to-ehr',
    '4.2-params',
    '4.2-asking-session',
    '2.4-parameter-name',
    '5.2-digest',
    '4.2-internal-channel',
    '2.3-ttl',
  ],
  'an exchange token goes to the EHR server and, unchanged, to the client',
  async () => {
    const { authInfo, call, clock, ehr } = await signedInWorld();
    clock.advance(60_000);
    const { exchangeToken } = await call<GivenRules>('auth.exchange_token', {}, authInfo);
    expect(exchangeToken).toMatch(/^[\w-]{43}$/);
    const params = { exchangeToken, authInfo: { ...authInfo, ttl: 1439 } };
    expect(ehr.received.map(({ body }) => body)).toEqual([
      callToEhr('embedded_storage.save_exchange_token', params, exchangeToken),
    ]);
  },
);

proves(['1-exchange-token-ehr-first'], 'the client gets its exchange token once it is stored', async () => {
  const { authInfo, call, ehr } = await signedInWorld();
  let given = false;
  const { asked, goOn } = await ehr.holding(async () => {
    const reply = await call<GivenRules>('auth.exchange_token', {}, authInfo);
    given = true;
    return reply;
  });
  await call('auth.request_otp', { phone: '79990000002' });
  expect(given).toBe(false);
  goOn();
  expect((await asked).exchangeToken).toBe(ehr.received[0]?.body.params.exchangeToken);
});

test('an exchange token stored already is replaced once', async () => {
  const { authInfo, call, ehr, refusal } = await signedInWorld();
  const duplicate = { kind: 'refuse', reason: 'exchange_token_already_stored' } as const;
  ehr.next(duplicate);
  const { exchangeToken } = await call<GivenRules>('auth.exchange_token', {}, authInfo);
  const [first, second] = ehr.received.map(({ body }) => body.params.exchangeToken);
  expect(second).toBe(exchangeToken);
  expect(first).not.toBe(second);
  ehr.next(duplicate, duplicate);
  expect(await refusal('auth.exchange_token', {}, authInfo)).toMatchObject({
    reason: 'ehr_refused',
    ehr: { code: -34004, reason: 'exchange_token_already_stored' },
  });
  expect(ehr.received).toHaveLength(4);
});

test('a session token stored for another user is refused, not replaced', async () => {
  const { authInfo, ehr, refusal } = await signedInWorld();
  ehr.next({ kind: 'refuse', reason: 'token_already_stored' });
  expect(await refusal('auth.exchange_token', {}, authInfo)).toMatchObject({
    reason: 'ehr_refused',
    ehr: { code: -34003 },
  });
  expect(ehr.received).toHaveLength(1);
});

proves(['K-session-required'], 'a cred that is wrong, foreign or absent gets no exchange token', async () => {
  const { ehr, refusal, signIn } = await startWorld();
  const anna = (await signIn(ANNA)).authInfo;
  const other = (await signIn('79990000002')).authInfo;
  for (const cred of [
    undefined,
    { user: anna.user, token: other.token },
    { user: anna.user, token: 'x' },
    { user: '', token: anna.token },
  ])
    expect(await refusal('auth.exchange_token', {}, cred)).toMatchObject({
      reason: 'not_authorized',
      code: -33000,
    });
  expect(ehr.received).toEqual([]);
});

test('a session ended during the call is given no exchange token', async () => {
  const { authInfo, call, ehr, refusal } = await signedInWorld();
  const { asked, goOn } = await ehr.holding(() => refusal('auth.exchange_token', {}, authInfo));
  await call('auth.logout', {}, authInfo);
  goOn();
  expect(await asked).toMatchObject({ reason: 'not_authorized' });
});

proves(['DA-exchange-token-array-params'], 'an empty list as params is taken', async () => {
  const { authInfo, call } = await signedInWorld();
  expect(await call('auth.exchange_token', [], authInfo)).toHaveProperty('exchangeToken');
});
