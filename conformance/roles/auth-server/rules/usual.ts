/** What most rules of an authorization server say alike: when they are judged, and which messages they judge. */
import type { Nothing } from '../../../engine/check/rule.ts';
import type { JournalView } from '../../../engine/journal/view.ts';
import { crowd, manyTokens } from '../flows/links/crowd.ts';
import { firstLink } from '../flows/links/first-link.ts';
import { returningUser } from '../flows/links/returning-user.ts';
import { SAVE_AUTH_INFO, SAVE_EXCHANGE_TOKEN } from '../internal-calls.ts';

/** Unless its row says otherwise a rule is of all calls to the EHR server. */
export const USUAL = {
  party: 'auth server',
  scenarios: [firstLink, returningUser],
  watchable: true,
  of: (journal: JournalView) => journal.internalCalls,
  nothing: { unclear: 'the server under test sent no call to the EHR server' },
} as const;

export const saves = (journal: JournalView) => journal.exchanges('auth->ehr', SAVE_AUTH_INFO);
export const tokenSaves = (journal: JournalView) => journal.exchanges('auth->ehr', SAVE_EXCHANGE_TOKEN);
export const savesOfBoth = (journal: JournalView) =>
  journal.internalCalls.filter(({ facts: { call } }) =>
    [SAVE_AUTH_INFO, SAVE_EXCHANGE_TOKEN].includes(call?.method ?? ''),
  );
export const answers = (journal: JournalView) =>
  journal.exchanges('client->auth').filter(({ response }) => response);
export const NO_SAVE = { unclear: 'no save_auth_info was sent' };
export const NO_TOKEN_SAVE = { unclear: 'no save_exchange_token was sent' };
export const NO_ANSWER = { unclear: 'the server did nothing that a client asked for' };

/** Makes the control of a rule: unless this was seen, nothing proves that the server is right. */
export const unless =
  (isSeen: (journal: JournalView) => boolean, because: string) =>
  (journal: JournalView): Nothing | undefined =>
    isSeen(journal) ? undefined : { unclear: because };

/** Until a call is accepted, little of the others can be judged. */
export const callAccepted = unless(
  ({ internalCalls }) => internalCalls.some(({ facts }) => facts.reply?.result),
  'the EHR server accepted no call of the server under test',
);

/** Scenarios without injected faults or deliberate mistakes. */
export const UNDISTURBED: ReadonlySet<string> = new Set([
  // No scenario: the steps with which the doctor examines the set-up.
  '',
  firstLink.id,
  returningUser.id,
  manyTokens.id,
  crowd.id,
]);
