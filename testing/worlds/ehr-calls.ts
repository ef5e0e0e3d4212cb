/** The calls that most tests of an EHR server make, as its client and as the authorization server. */
import type { ehrMethods } from '#protocol/methods/ehr-methods.ts';
import type { Cred } from '#protocol/methods/method-spec.ts';
import { digest } from '#protocol/wire/hashes/digest.ts';
import { INTERNAL_PASSWORD, INTERNAL_USER } from '../fixtures.ts';
import { type RpcCaller, resultOf } from '../wire.ts';

type Caller = RpcCaller<typeof ehrMethods>;

let exchangeTokens = 0;

/** @param toInternal calls the listener of the authorization server, where that is another one */
export function ehrCalls(call: Caller, toInternal: Caller = call) {
  const cred = (secret: string) => ({ user: INTERNAL_USER, token: digest(INTERNAL_PASSWORD, secret) });
  const saveExchangeToken = (exchangeToken: string, authInfo: Record<string, unknown>) =>
    toInternal('embedded_storage.save_exchange_token', { exchangeToken, authInfo }, cred(exchangeToken));
  const authenticate = (exchangeToken: string, patientProperties: Record<string, unknown>) =>
    call('embedded_storage.authenticate', { exchangeToken, patientProperties });
  return {
    call,
    toInternal,
    saveExchangeToken,
    authenticate,
    saveAuthInfo: (authInfo: Record<string, unknown>, userSign: string) =>
      toInternal('embedded_storage.save_auth_info', { authInfo }, cred(userSign)),
    read: (cred?: Cred) => call('patient.get_patient', {}, cred),
    /** Saves an exchange token for the session and authenticates with it. Returns the reply's result. */
    async link(user: string, token: string, patientProperties: Record<string, unknown>, ttl = 60) {
      const exchangeToken = `exchange-${++exchangeTokens}`;
      resultOf(await saveExchangeToken(exchangeToken, { user, token, ttl }));
      return resultOf(await authenticate(exchangeToken, patientProperties));
    },
  };
}
