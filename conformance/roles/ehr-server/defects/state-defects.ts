/** Defects of state that the model of the state table finds by itself, without knowing them. */
import type { Link, LinkOutcome, LinkRequest, Store } from '#ehr-server/store/store.ts';
import type { EhrChange } from '../self-test/serve.ts';
import type { EhrDefect } from './defect.ts';
import { repliesAgain } from './linking/exchange-token-defects.ts';
import { AUTHENTICATE, credOf, LOG_OUT, READ, SAVE, saysYes } from './messages/messages.ts';
import { withStore } from './parts.ts';
import { keepsPending } from './sessions/pending-kept.ts';
import { cachesReads, disconnectKeepsLink, endsFurther, forgetsSpentTokens } from './sessions/session-changes.ts';

type Links = { linkOf(request: LinkRequest): Promise<Link | undefined> };

/** Changes how a user is linked, with a look at the link that the user of an exchange token has. */
function links(link: (request: LinkRequest, right: Store, links: Links) => Promise<LinkOutcome>): EhrChange {
  return withStore((store) => {
    const userOf = new Map<string, string>();
    const linkOf = async ({ exchangeToken }: LinkRequest) => store.findLink(userOf.get(String(exchangeToken)) ?? '');
    return {
      async saveExchangeToken(token, now) {
        const outcome = await store.saveExchangeToken(token, now);
        if ('id' in outcome) userOf.set(String(token.hash), token.session.user);
        return outcome;
      },
      link: (request) => link(request, store, { linkOf }),
    };
  });
}

/** Looks at the link of the user, and not at who fits. */
const takesPatientOfLink = links(async (request, store, { linkOf }) => {
  const outcome = await store.link(request);
  if (!('refused' in outcome) || outcome.refused !== 'patient_already_matched') return outcome;
  return store.link({ ...request, patientId: (await linkOf(request))?.patientId ?? '' });
});

const renewsSignature = links(async (request, store, { linkOf }) => {
  const link = await linkOf(request);
  const outcome = await store.link(request);
  if ('refused' in outcome || !link) return outcome;
  // The rows of the store hold this very link.
  Object.assign(link, { userSign: request.newUserSign });
  return { userSign: request.newUserSign };
});

type Row = readonly [id: string, title: string, change: EhrDefect['change']];

const ROWS: readonly Row[] = [
  ['state-used-token-opens', 'An exchange token that was used opens again', repliesAgain],
  ['state-any-signature-saves', 'A session is saved with the signature of anybody', saysYes(SAVE, 'not_authorized')],
  ['state-logout-unseen', 'A session that was read goes on reading after its logout', cachesReads],
  ['state-session-without-end', 'An expired session goes on reading', saysYes(READ, 'session_expired')],
  [
    'state-exchange-token-without-end',
    'An expired exchange token opens',
    saysYes(AUTHENTICATE, 'exchange_token_expired'),
  ],
  [
    'state-logout-of-all',
    'A logout ends the other sessions of the user, too',
    endsFurther((call, known) => (call.method === LOG_OUT ? known.of(credOf(call).user) : [])),
  ],
  ['state-link-outlives-removal', 'Sessions are saved for a link that was removed', disconnectKeepsLink],
  ['state-any-patient', 'For a linked user any patient is taken for that of the link', takesPatientOfLink],
  ['state-second-user', 'A linked patient is linked by another user', saysYes(AUTHENTICATE, 'patient_already_linked')],
  ['state-pending-outlives-logout', 'A logout leaves its exchange tokens alive', keepsPending('removeSession')],
  ['state-spent-token-saved', 'A session token that a logout spent is saved again', forgetsSpentTokens],
  ['state-signature-changes', 'A linked user who authenticates again has a new user_sign', renewsSignature],
];

export const stateDefects: readonly EhrDefect[] = ROWS.map(([id, title, change]) => ({
  id,
  title,
  change,
  caughtBy: 'follows-state-table',
}));
