/**
 * Defects of the state of an EHR server: of links, sessions and exchange tokens. One check must find them
 * all: it plays drawn sequences of calls and compares the answers with a model of the state table. A text
 * `id: title` begins a defect; its change follows.
 */
import type { Link, LinkOutcome, LinkRequest, Store } from '#ehr-server/store/store.ts';
import type { EhrChange } from '../self-test/serve.ts';
import { saysYes, sessionOfHash, withStore } from './changes.ts';
import { foundBy } from './defect.ts';
import { repliesAgain } from './linking/exchange-token-defects.ts';
import { AUTHENTICATE, LOG_OUT, READ, SAVE } from './methods.ts';
import {
  cachesReads,
  disconnectKeepsLink,
  endsFurther,
  forgetsSpentTokens,
  keepsPending,
} from './sessions/session-changes.ts';

/**
 * Change how the store links a user. `former` is the link that the user has already; undefined: none. The
 * store is given only a hash of the exchange token, by which the ledger finds the user.
 */
const links = (
  link: (request: LinkRequest, store: Store, former: Link | undefined) => Promise<LinkOutcome>,
): EhrChange =>
  withStore((store, { seen }) => ({
    link: async (request) =>
      link(request, store, await store.findLink(sessionOfHash(seen, request.exchangeToken)?.user ?? '')),
  }));

/** Take the patient of the user's link, whichever patient the properties fit. */
const takesPatientOfLink = links((request, store, former) =>
  store.link({ ...request, patientId: former?.patientId ?? request.patientId }),
);

/** Draw a new user_sign when a linked user authenticates again. */
const renewsSignature = links(async (request, store, former) => {
  const outcome = await store.link(request);
  if ('refused' in outcome || !former) return outcome;
  // The memory store returns its own object, not a copy: this changes the stored link.
  Object.assign(former, { userSign: request.newUserSign });
  return { userSign: request.newUserSign };
});

export const stateDefects = foundBy({
  'follows-state-table': [
    'state-any-signature-saves: A session is saved with the signature of anybody',
    saysYes(SAVE, 'not_authorized'),
    'state-logout-unseen: A session that was read goes on reading after its logout',
    cachesReads,
    'state-exchange-token-without-end: An expired exchange token opens',
    saysYes(AUTHENTICATE, 'exchange_token_expired'),
  ],
  'state-table-as-decided': [
    'state-used-token-opens: An exchange token that was used opens again',
    repliesAgain,
    'state-session-without-end: An expired session goes on reading',
    saysYes(READ, 'session_expired'),
    'state-logout-of-all: A logout ends the other sessions of the user, too',
    endsFurther(LOG_OUT, ({ cred, seen }) => seen.tokensOf(cred.user)),
    'state-link-outlives-removal: Sessions are saved for a link that was removed',
    disconnectKeepsLink,
    'state-any-patient: For a linked user any patient is taken for that of the link',
    takesPatientOfLink,
    'state-second-user: A linked patient is linked by another user',
    saysYes(AUTHENTICATE, 'patient_already_linked'),
    'state-pending-outlives-logout: A logout leaves its exchange tokens alive',
    keepsPending(LOG_OUT),
    'state-spent-token-saved: A session token that a logout spent is saved again',
    forgetsSpentTokens,
    'state-signature-changes: A linked user who authenticates again has a new user_sign',
    renewsSignature,
  ],
});
