/** An EHR server alone with a user linked to Anna Petrova: the start of most tests of saves and removals. */
import * as people from '../people.ts';
import { post } from '../wire.ts';
import { type EhrAloneOptions, ehrAlone } from './ehr-alone.ts';

/** Starts an EHR server without links. */
export async function unlinkedEhr(options?: EhrAloneOptions) {
  const alone = await ehrAlone(options);
  return {
    ...alone,
    people,
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
