import { expect } from 'vitest';
import { callText } from '#protocol/wire/envelope.ts';
import { anna, ivan, oleg } from '#testing/people.ts';
import { ScriptedClient } from '#testing/scripted-client.ts';
import { post, reasonOf, resultOf } from '#testing/wire.ts';
import { linkedEhr, unlinkedEhr } from '#testing/worlds/linked-ehr.ts';
import { useWorld } from '#testing/worlds/use-world.ts';
import { claims } from './claims.ts';

const GET = 'patient.get_patient';
const AUTHENTICATE = 'embedded_storage.authenticate';
const LOG_OUT = 'embedded_storage.remove_auth_info';
const DISCONNECT = 'embedded_storage.remove_authentication';
const PHONE = '79991112233';
const MINUTE_MS = 60_000;

claims(['T-client-4', 'T-client-6', 'T-client-7'], 'who knows a patient may link, and it shows', async () => {
  const ehr = await unlinkedEhr();
  expect((await ehr.link('u-thief', 'token-thief', anna)).patient.surname).toBe(anna.surname);
  const asOwner = async (exchangeToken: string, patientProperties: object) => {
    resultOf(await ehr.saveExchangeToken(exchangeToken, { user: 'u-owner', token: exchangeToken, ttl: 60 }));
    return ehr.call(AUTHENTICATE, { exchangeToken, patientProperties });
  };
  expect(reasonOf(await asOwner('all-right', anna))).toBe('patient_already_linked');
  // One wrong property is enough: the patient is not matched.
  for (const [index, wrong] of [
    { name: 'Olga' },
    { surname: 'Ivanova' },
    { date: '1901-01-01' },
    { phone: '79000000000' },
  ].entries())
    expect(reasonOf(await asOwner(`one-wrong-${index}`, { ...anna, ...wrong }))).toBe('patient_not_matched');
});

claims(['T-client-5'], 'unknown, unlinked, wrong and ended get one answer', async () => {
  const { ehr, call, cred, saveExchangeToken } = await linkedEhr();
  resultOf(await saveExchangeToken('pending', { user: 'u-pending', token: 'token-pending', ttl: 60 }));
  const answers = async (method: typeof GET | typeof LOG_OUT | typeof DISCONNECT) => {
    const strangers = [
      { user: 'u-never', token: 'wrong' },
      { user: 'u-anna', token: 'wrong' },
      { user: 'u-never', token: cred.token },
      { user: 'u-pending', token: 'token-pending' },
    ];
    const texts = strangers.map((stranger) =>
      post(ehr.endpoint, callText({ id: 1, method, cred: stranger })),
    );
    return (await Promise.all(texts)).map(({ status, text, headers }) => {
      const { date: _, ...others } = Object.fromEntries(headers);
      return JSON.stringify({ status, text, others });
    });
  };
  const before = [...(await answers(GET)), ...(await answers(LOG_OUT)), ...(await answers(DISCONNECT))];
  expect(new Set(before).size).toBe(1);
  expect(before[0]).toContain('not_authorized');
  resultOf(await call(LOG_OUT, {}, cred));
  const ended = await post(ehr.endpoint, callText({ id: 1, method: GET, cred }));
  expect(before[0]).toContain(JSON.stringify(ended.text));
});

claims(['T-client-13'], 'codes can be requested for any number of phones', async () => {
  const world = await useWorld({ env: { AUTH_RATE_LIMIT: 'on', AUTH_OTP_RESEND_AFTER: '30' } });
  const phones = Array.from({ length: 60 }, (_, index) => `7999${String(index).padStart(7, '0')}`);
  for (const phone of phones) resultOf(await world.toAuth('auth.request_otp', { phone }));
  expect(world.auth.outbox.list()).toHaveLength(60);
  expect(reasonOf(await world.toAuth('auth.request_otp', { phone: phones[0] }))).toBe('otp_throttled');
});

claims(['T-client-14'], 'a stolen session token reads one record, and can end its session', async () => {
  const { call, cred, clock, saveAuthInfo, userSign, link } = await linkedEhr();
  await link('u-oleg', 'token-oleg', oleg);
  for (const token of ['second', 'third'])
    resultOf(await saveAuthInfo({ user: cred.user, token, ttl: 60 }, userSign));
  const stolen = { user: cred.user, token: 'second' };
  expect(resultOf(await call(GET, {}, stolen)).patient.surname).toBe(anna.surname);
  expect(reasonOf(await call(GET, {}, { ...stolen, user: 'u-oleg' }))).toBe('not_authorized');
  resultOf(await call(LOG_OUT, {}, stolen));
  expect(reasonOf(await call(GET, {}, stolen))).toBe('not_authorized');
  resultOf(await call(DISCONNECT, {}, { ...stolen, token: 'third' }));
  expect(reasonOf(await call(GET, {}, cred))).toBe('not_authorized');
  clock.advance(60 * MINUTE_MS);
  expect(reasonOf(await call(GET, {}, { user: 'u-oleg', token: 'token-oleg' }))).toBe('session_expired');
});

claims(['T-client-15'], 'a stolen exchange token links its user once, within ten minutes', async () => {
  const { call, saveExchangeToken, clock } = await unlinkedEhr();
  for (const [name, user] of [
    ['first', 'u-1'],
    ['late', 'u-2'],
  ] as const)
    resultOf(await saveExchangeToken(name, { user, token: `token-${user}`, ttl: 60 }));
  const use = (exchangeToken: string, patientProperties: object) =>
    call(AUTHENTICATE, { exchangeToken, patientProperties });
  expect(reasonOf(await use('first', { ...anna, name: 'Unknown' }))).toBe('patient_not_matched');
  expect(resultOf(await use('first', anna)).patient.surname).toBe(anna.surname);
  expect(reasonOf(await use('first', anna))).toBe('exchange_token_unknown');
  resultOf(await call(GET, {}, { user: 'u-1', token: 'token-u-1' }));
  clock.advance(10 * MINUTE_MS);
  expect(reasonOf(await use('late', ivan))).toBe('exchange_token_expired');
});

claims(['T-client-16'], 'a stolen signature opens nothing at either server', async () => {
  const world = await useWorld();
  const owner = await new ScriptedClient(world, PHONE).connect(anna);
  const userSign = owner.userSign as string;
  // The EHR server does not accept a signature as a credential.
  for (const user of [owner.cred.user, 'u-thief'])
    expect(reasonOf(await world.toEhr(GET, {}, { user, token: userSign }))).toBe('not_authorized');
  expect(
    reasonOf(await world.toEhr(AUTHENTICATE, { exchangeToken: userSign, patientProperties: anna })),
  ).toBe('exchange_token_unknown');
  // The thief signs in with their own phone. The signature does not link them.
  const thief = new ScriptedClient(world, '79994445566');
  thief.userSign = userSign;
  expect(await thief.signIn()).toEqual({ linked: false });
  expect(reasonOf(await thief.getPatient())).toBe('not_authorized');
  thief.userSign = undefined;
  world.clock.advance(MINUTE_MS);
  await thief.connect(oleg);
  thief.userSign = userSign;
  world.clock.advance(MINUTE_MS);
  expect(await thief.signIn()).toEqual({ linked: false });
  expect(reasonOf(await thief.getPatient())).toBe('not_authorized');
  thief.userSign = undefined;
  world.clock.advance(MINUTE_MS);
  expect(await thief.signIn()).toEqual({ linked: true });
  expect(resultOf(await thief.getPatient()).patient.name).toBe(oleg.name);
});
