/** An EHR server alone with a user linked to Anna Petrova: the start of most tests of saves and removals. */
import type { Cred } from '#protocol/methods/method-spec.ts';
import * as people from '../people.ts';
import { post, resultOf } from '../wire.ts';
import { type EhrAloneOptions, ehrAlone } from './ehr-alone.ts';

let exchangeTokens = 0;

/** Starts an EHR server without links, with `link` to take a user through the exchange flow. */
export async function unlinkedEhr(options?: EhrAloneOptions) {
  const alone = await ehrAlone(options);
  return {
    ...alone,
    people,
    /** Sends the two calls that most tests are about, with whatever the test gives. */
    authenticate: (exchangeToken: string, patientProperties: Record<string, unknown>) =>
      alone.call('embedded_storage.authenticate', { exchangeToken, patientProperties }),
    read: (cred?: Cred) => alone.call('patient.get_patient', {}, cred),
    /** Saves an exchange token for the session and authenticates with it. Returns the reply's result. */
    async link(user: string, token: string, patientProperties: Record<string, unknown>, ttl = 60) {
      const exchangeToken = `exchange-${++exchangeTokens}`;
      resultOf(await alone.saveExchangeToken(exchangeToken, { user, token, ttl }));
      return resultOf(
        await alone.call('embedded_storage.authenticate', { exchangeToken, patientProperties }),
      );
    },
    async post(message: unknown, headers: Record<string, string> = {}) {
      return JSON.parse((await post(alone.ehr.endpoint, JSON.stringify(message), headers)).text);
    },
  };
}

/** User `u-anna` is linked to Anna by the session `token-anna` of one hour, not recorded yet. */
export async function linkedEhr(options?: EhrAloneOptions) {
  const ehr = await unlinkedEhr(options);
  const authInfo = { user: 'u-anna', token: 'token-anna', ttl: 60 };
  const { userSign } = await ehr.link(authInfo.user, authInfo.token, people.anna);
  return { ...ehr, authInfo, userSign, cred: { user: authInfo.user, token: authInfo.token } };
}
