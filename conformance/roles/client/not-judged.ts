/** Names the requirements on a client that no check judges, each with the reason. */
import type { RequirementId } from '#protocol/requirements.ts';

const OURS = 'The tests of our own client show it.';

export const NOT_JUDGED: Readonly<Partial<Record<RequirementId, string>>> = {
  'D2-json-declared': OURS,
  '4.4-cred': OURS,
  'K-client-exchange-token-spent': OURS,
};
