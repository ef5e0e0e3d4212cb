/** Defects of state that the model of the state table finds by itself, without knowing them. */
import type { Link, LinkOutcome, LinkRequest, Store } from '#ehr-server/store/store.ts';
import type { EhrChange } from '../self-test/serve.ts';
import { saysYes, sessionOfHash, withStore } from './changes.ts';
import { defects } from './defect.ts';
import { repliesAgain } from './linking/exchange-token-defects.ts';
import { AUTHENTICATE, LOG_OUT, READ, SAVE } from './methods.ts';
import {
  cachesReads,
  disconnectKeepsLink,
  endsFurther,
  forgetsSpentTokens,
  keepsPending,
} from './sessions/session-changes.ts';

/** Change how a user is linked, with a look at the link that the user of an exchange token has. */
const links = (
  link: (request: LinkRequest, store: Store, former: Link | undefined) => Promise<LinkOutcome>,
): EhrChange =>
  withStore((store, { seen }) => ({
    link: async (request) =>
      link(request, store, await store.findLink(sessionOfHash(seen, request.exchangeToken)?.user ?? '')),
  }));

/** Look at the link of the user, and not at who fits. */
const takesPatientOfLink = links((request, store, former) =>
  store.link({ ...request, patientId: former?.patientId ?? request.patientId }),
);

const renewsSignature = links(async (request, store, former) => {
  const outcome = await store.link(request);
  if ('refused' in outcome || !former) return outcome;
  // The rows of the store hold this very link.
  Object.assign(former, { userSign: request.newUserSign });
  return { userSign: request.newUserSign };
});

const caughtBy = 'follows-state-table';

export const stateDefects = defects({
  'state-used-token-opens': {
    title: 'An exchange token that was used opens again',
    change: repliesAgain,
    caughtBy,
  },
  'state-any-signature-saves': {
    title: 'A session is saved with the signature of anybody',
    change: saysYes(SAVE, 'not_authorized'),
    caughtBy,
  },
  'state-logout-unseen': {
    title: 'A session that was read goes on reading after its logout',
    change: cachesReads,
    caughtBy,
  },
  'state-session-without-end': {
    title: 'An expired session goes on reading',
    change: saysYes(READ, 'session_expired'),
    caughtBy,
  },
  'state-exchange-token-without-end': {
    title: 'An expired exchange token opens',
    change: saysYes(AUTHENTICATE, 'exchange_token_expired'),
    caughtBy,
  },
  'state-logout-of-all': {
    title: 'A logout ends the other sessions of the user, too',
    change: endsFurther(LOG_OUT, ({ cred, seen }) => seen.tokensOf(cred.user)),
    caughtBy,
  },
  'state-link-outlives-removal': {
    title: 'Sessions are saved for a link that was removed',
    change: disconnectKeepsLink,
    caughtBy,
  },
  'state-any-patient': {
    title: 'For a linked user any patient is taken for that of the link',
    change: takesPatientOfLink,
    caughtBy,
  },
  'state-second-user': {
    title: 'A linked patient is linked by another user',
    change: saysYes(AUTHENTICATE, 'patient_already_linked'),
    caughtBy,
  },
  'state-pending-outlives-logout': {
    title: 'A logout leaves its exchange tokens alive',
    change: keepsPending(LOG_OUT),
    caughtBy,
  },
  'state-spent-token-saved': {
    title: 'A session token that a logout spent is saved again',
    change: forgetsSpentTokens,
    caughtBy,
  },
  'state-signature-changes': {
    title: 'A linked user who authenticates again has a new user_sign',
    change: renewsSignature,
    caughtBy,
  },
});
