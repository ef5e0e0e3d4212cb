import { expect } from 'vitest';
import { personas } from '#mis-fixtures/personas.ts';
import { callText } from '#protocol/wire/envelope.ts';
import { digest } from '#protocol/wire/hashes/digest.ts';
import { createAuthority } from '#service/tls/testing-certificates.ts';
import { INTERNAL_PASSWORD, INTERNAL_USER } from '#testing/fixtures.ts';
import { anna, ivan } from '#testing/people.ts';
import { post, reasonOf, resultOf } from '#testing/wire.ts';
import { linkedEhr } from '#testing/worlds/linked-ehr.ts';
import { useTlsWorld } from '#testing/worlds/tls-world.ts';
import { claims } from './claims.ts';

const GET = 'patient.get_patient';
const AUTHENTICATE = 'embedded_storage.authenticate';
const SAVE = 'embedded_storage.save_auth_info';
const SAVE_EXCHANGE = 'embedded_storage.save_exchange_token';

/**
 * Starts an EHR server with a separate internal channel, and a thief on it who knows only user name and
 * password.
 */
async function robbedEhr() {
  const ehr = await linkedEhr({ env: { EHR_INTERNAL_PORT: '0' } });
  const proof = (secret: string) => ({ user: INTERNAL_USER, token: digest(INTERNAL_PASSWORD, secret) });
  const loot = { user: 'u-anna', token: 'token-of-a-thief', ttl: 60 };
  const isOpen = async () =>
    (await ehr.call(GET, {}, { user: loot.user, token: loot.token })).result !== undefined;
  return { ...ehr, proof, loot, isOpen };
}

claims(['T-password-1'], 'the password opens no session of a linked user', async () => {
  const { toInternal, proof, loot, isOpen, internalEndpoint, authInfo, userSign } = await robbedEhr();
  const [patient] = personas.anna.patients;
  const known = [
    '',
    loot.user,
    loot.token,
    authInfo.token,
    patient.id,
    INTERNAL_USER,
    INTERNAL_PASSWORD,
    'user_sign',
  ];
  for (const secret of known)
    expect(reasonOf(await toInternal(SAVE, { authInfo: loot }, proof(secret)))).toBe('not_authorized');
  const basic = Buffer.from(`${INTERNAL_USER}:${INTERNAL_PASSWORD}`).toString('base64');
  const text = callText({ id: 1, method: SAVE, params: { authInfo: loot } });
  for (const authorization of [`Basic ${basic}`, `Bearer ${INTERNAL_PASSWORD}`, `Bearer ${proof('').token}`])
    expect(JSON.parse((await post(internalEndpoint, text, { authorization })).text).error.data.reason).toBe(
      'not_authorized',
    );
  expect(await isOpen()).toBe(false);
  // With the signature in addition, the call succeeds.
  resultOf(await toInternal(SAVE, { authInfo: loot }, proof(userSign)));
  expect(await isOpen()).toBe(true);
});

claims(['T-password-2'], 'the password reads no patient, ends no session and removes no link', async () => {
  const { call, toInternal, proof, loot, cred } = await robbedEhr();
  for (const method of [
    GET,
    'embedded_storage.remove_auth_info',
    'embedded_storage.remove_authentication',
  ] as const)
    for (const token of [INTERNAL_PASSWORD, proof('').token, proof(loot.user).token])
      for (const user of [INTERNAL_USER, loot.user]) {
        expect(reasonOf(await call(method, {}, { user, token }))).toBe('not_authorized');
        expect(reasonOf(await toInternal(method, {}, { user, token }))).toBe('access_forbidden');
      }
  resultOf(await call(GET, {}, cred));
});

claims(['T-password-3', 'T-password-4'], 'the password and a patient’s details open the record', async () => {
  const { call, toInternal, proof, userSign } = await robbedEhr();
  const openAs = async (user: string, patientProperties: object) => {
    const exchangeToken = `exchange-of-a-thief-for-${user}`;
    const authInfo = { user, token: `token-of-a-thief-for-${user}`, ttl: 60 };
    resultOf(await toInternal(SAVE_EXCHANGE, { exchangeToken, authInfo }, proof(exchangeToken)));
    return call(AUTHENTICATE, { exchangeToken, patientProperties });
  };
  // Without the properties of the patient the exchange token is useless.
  expect(reasonOf(await openAs('u-anna-without', { ...anna, surname: 'Unknown' }))).toBe(
    'patient_not_matched',
  );
  // With the patient of a linked user and the user's id, the thief also has the signature from then on.
  expect(resultOf(await openAs('u-anna', anna)).userSign).toBe(userSign);
  expect(
    resultOf(await call(GET, {}, { user: 'u-anna', token: 'token-of-a-thief-for-u-anna' })).userSign,
  ).toBe(userSign);
  // A patient whom no user has linked can be opened under an invented user id.
  expect(resultOf(await openAs('u-nobody', ivan)).patient.name).toBe(ivan.name);
  // A patient who is linked stays closed to a thief who does not know the user's id.
  expect(reasonOf(await openAs('u-thief', anna))).toBe('patient_already_linked');
});

claims(['T-password-5'], 'who reaches the channel learns which users are linked', async () => {
  const { toInternal, loot } = await robbedEhr();
  const ask = async (user: string, name: string) =>
    reasonOf(
      await toInternal(SAVE, { authInfo: { ...loot, user } }, { user: name, token: digest('guessed', user) }),
    );
  expect(await ask('u-anna', INTERNAL_USER)).toBe('not_authorized');
  expect(await ask('u-somebody', INTERNAL_USER)).toBe('user_unknown');
  // Without the internal user name both answers are the same.
  expect([await ask('u-anna', 'guessed'), await ask('u-somebody', 'guessed')]).toEqual(
    Array(2).fill('not_authorized'),
  );
});

claims(['T-password-6'], 'with an internal port the password is worthless on the public one', async () => {
  const { call, toInternal, proof, loot, userSign, isOpen } = await robbedEhr();
  const exchange = { exchangeToken: 'x', authInfo: loot };
  expect(reasonOf(await call(SAVE, { authInfo: loot }, proof(userSign)))).toBe('access_forbidden');
  expect(reasonOf(await call(SAVE_EXCHANGE, exchange, proof('x')))).toBe('access_forbidden');
  expect(reasonOf(await call(AUTHENTICATE, { exchangeToken: 'x', patientProperties: anna }))).toBe(
    'exchange_token_unknown',
  );
  expect(await isOpen()).toBe(false);
  resultOf(await toInternal(SAVE_EXCHANGE, exchange, proof('x')));
});

claims(['T-password-7'], 'over mutual TLS the password does not even get a connection', async () => {
  const [authority, stranger] = [await createAuthority(), await createAuthority()];
  const env = { EHR_INTERNAL_TLS_CLIENT_NAME: 'auth-server' };
  const { open, internalEndpoint, logged } = await useTlsWorld({ authority, env });
  const exchangeToken = 'exchange-of-a-thief';
  const authInfo = { user: 'u-thief', token: 'token-of-a-thief', ttl: 60 };
  const text = callText({
    id: 1,
    method: SAVE_EXCHANGE,
    params: { exchangeToken, authInfo },
    cred: { user: INTERNAL_USER, token: digest(INTERNAL_PASSWORD, exchangeToken) },
  });
  const call = async (send: typeof fetch) => post(internalEndpoint, text, {}, send);
  await expect(call(await open())).rejects.toThrow();
  await expect(call(await open(await stranger.issue('auth-server')))).rejects.toThrow();
  expect((await call(await open(await authority.issue('somebody-else')))).status).toBe(403);
  await expect(
    fetch(internalEndpoint.replace('https:', 'http:'), { method: 'POST', body: text }),
  ).rejects.toThrow();
  expect(logged()).not.toContain('"channel":"internal"');
  // With the certificate in addition, the call succeeds.
  const served = await call(await open(await authority.issue('auth-server')));
  expect(JSON.parse(served.text)).toMatchObject({ result: {} });
  expect(logged()).toContain('save_exchange_token","channel":"internal"');
});
