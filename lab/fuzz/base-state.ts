/**
 * The state of an EHR server before inputs are sent: one user is linked and has a session, another has an
 * exchange token.
 */

import { personas, propertiesOf } from '#mis-fixtures/personas.ts';
import type { Cred } from '#protocol/methods/method-spec.ts';
import { digest } from '#protocol/wire/digest.ts';
import { INTERNAL_PASSWORD, INTERNAL_USER } from '#testing/fixtures.ts';
import { bytesOf } from './input.ts';
import { postBody } from './post.ts';
import type { Seed } from './rpc-inputs.ts';

const anna = { user: 'u-anna', token: 'token-anna', ttl: 1_000 };
const ivan = { user: 'u-ivan', token: 'token-ivan', ttl: 1_000 };
const session: Cred = { user: anna.user, token: anna.token };

/** A call that is answered with data while the base state holds. */
export const GOOD_CALL = { jsonrpc: '2.0', id: 1, method: 'patient.get_patient', params: {}, cred: session };

/** Builds the credentials of the authorization server over this secret. */
export function internalCred(secret: string): Cred {
  return { user: INTERNAL_USER, token: digest(INTERNAL_PASSWORD, secret) };
}

/** Brings a fresh EHR server into the base state, over the wire. */
export async function prepareBase(endpoint: URL): Promise<void> {
  for (const seed of [
    saveExchange('first', anna),
    authenticate('first', propertiesOf(personas.anna)),
    saveExchange('pending', ivan),
  ]) {
    const { text } = await postBody(endpoint, bytesOf(JSON.stringify(seed)));
    if (!('result' in JSON.parse(text))) throw new Error(`Failed to prepare the server: it answered ${text}`);
  }
}

/** Calls that the EHR server would execute in its base state. Inputs are derived from them. */
export function ehrSeeds(signOf: (user: string) => string): Seed[] {
  const withCard = { patientProperties: { phone: '79990000002' }, searchStrategy: 'MEDCARD', medCardId: '123456' };
  return [
    GOOD_CALL,
    { ...GOOD_CALL, method: 'embedded_storage.remove_auth_info', id: 'a' },
    { ...GOOD_CALL, method: 'embedded_storage.remove_authentication', apiKey: null },
    authenticate('pending', propertiesOf(personas.twins, 0)),
    authenticate('pending', propertiesOf(personas.namesakes)),
    authenticate('unknown', propertiesOf(personas.anna)),
    { ...authenticate('pending', {}), params: { exchangeToken: 'pending', ...withCard } },
    saveExchange('another', { user: 'u-new', token: 'token-new', ttl: 5 }),
    {
      ...GOOD_CALL,
      method: 'embedded_storage.save_auth_info',
      params: { authInfo: { user: anna.user, token: 'token-2', ttl: 60, created: '2026-01-15' } },
      cred: internalCred(signOf(anna.user)),
    },
    { jsonrpc: '2.0', id: 0, method: 'rpc.discover' },
  ];
}

/**
 * Calls of the authorization server. They lack the secrets that only the server knows, so most are refused.
 */
export const authSeeds: Seed[] = [
  ['auth.request_otp', { phone: '79990000001' }],
  ['auth.confirm_otp', { phone: '79990000001', code: '123456', ehr_user_sign: 'x'.repeat(43) }],
  ['auth.login', { user: 'u-79990000001', ehr_user_sign: null }],
  ['auth.exchange_token', {}],
  ['auth.report_link', { user_sign: 'x'.repeat(43) }],
  ['auth.logout', {}],
  ['auth.delete_user', {}],
].map(([method, params]) => ({ jsonrpc: '2.0', id: 1, method, params, cred: { user: 'u-1', token: 'x' } }));

export function saveExchange(exchangeToken: string, authInfo: object): Seed {
  const params = { exchangeToken, authInfo };
  const cred = internalCred(exchangeToken);
  return { jsonrpc: '2.0', id: 1, method: 'embedded_storage.save_exchange_token', params, cred };
}

export function authenticate(exchangeToken: string, patientProperties: object): Seed {
  const params = { exchangeToken, patientProperties };
  return { jsonrpc: '2.0', id: 1, method: 'embedded_storage.authenticate', params };
}
