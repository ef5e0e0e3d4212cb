/**
 * Defects of an EHR server in sessions: how a session is opened, found, saved and ended. A key is the check
 * that must find the defects below it. A text `id: title` begins a defect; its change of the right server
 * follows, then `owner/repo#number` of public systems that had the defect.
 */
import { bytesToHex } from '@noble/hashes/utils.js';
import { randomToken } from '#protocol/time/random.ts';
import { hashToken } from '#protocol/wire/hashes/secrets.ts';
import { done } from '../../../../engine/defects/operators.ts';
import { no, yes } from '../../../../engine/defects/rpc-call.ts';
import { after, before, both, instead, withRules, withStore } from '../changes.ts';
import { foundBy } from '../defect.ts';
import { AUTHENTICATE, DISCONNECT, LOG_OUT, OF_SESSIONS, READ, REMOVALS, SAVE } from '../methods.ts';
import {
  byName,
  byToken,
  cachesReads,
  completesCred,
  disconnectKeepsLink,
  endsFurther,
  forgetsSpentTokens,
  keepsPending,
  leavesSessions,
  opensNothing,
  takesSignsOf,
  withoutCred,
} from './session-changes.ts';

/** A user_sign that no link has. */
const OTHER_SIGN = 'another-signature-another-signature-another';

export const sessionDefects = foundBy({
  'exchange-token-opens': [
    'authenticate-opens-nothing: authenticate links the user, and only save_auth_info opens the session',
    opensNothing,
  ],
  'no-session-no-data': [
    'user-alone-opens: get_patient looks the session up by its user, and never at its token',
    completesCred(READ, byName),
    'cobbler/cobbler#1916 (CVE-2018-1000226)',
    'token-alone-opens: get_patient looks the session up by its token, and never at its user',
    completesCred(READ, byToken),
    'newest-session-without-cred: get_patient without a cred is answered with the newest session',
    completesCred(READ, withoutCred),
  ],
  'removal-needs-session': [
    'user-alone-removes: A removal looks the session up by its user, and never at its token',
    completesCred(REMOVALS, byName),
    'cobbler/cobbler#1916 (CVE-2018-1000226)',
    'token-alone-removes: A removal looks the session up by its token, and never at its user',
    completesCred(REMOVALS, byToken),
    'removal-without-cred: A removal without a cred ends the newest session',
    completesCred(REMOVALS, withoutCred),
  ],
  'save-opens-linked-user': [
    'logout-removes-link: A logout removes the link of the user, too',
    before(LOG_OUT, ({ call }) => ({ ...call, method: DISCONNECT })),
  ],
  'link-stays-after-logout': [
    'logout-renews-sign: After a logout the user is told another user_sign',
    after(done(READ), ({ cred, result, seen }) =>
      seen.done(LOG_OUT).some((call) => call.cred.user === cred.user)
        ? yes({ ...result, user_sign: OTHER_SIGN, userSign: OTHER_SIGN })
        : undefined,
    ),
  ],
  'first-save-records': [
    'first-save-refused: The first save of the session that authenticate stored is refused',
    withRules({ recordAfterAuthenticate: 'never' }),
  ],
  'repeated-save-refused': [
    'repeated-save-ends-session: A repeated save is refused, and ends the session',
    instead(OF_SESSIONS, ({ cred, seen }) =>
      seen.refused(SAVE, 'token_already_stored').some(({ authInfo }) => authInfo.token === cred.token)
        ? no('not_authorized')
        : undefined,
    ),
  ],
  'several-sessions-of-one-user': [
    'logout-ends-all: A logout ends every session of the user',
    endsFurther(LOG_OUT, ({ cred, seen }) => seen.tokensOf(cred.user)),
    'opencloud-eu/docs#649',
    'one-session-per-user: A new session of a user ends the others',
    endsFurther(SAVE, ({ authInfo, seen }) => seen.tokensOf(authInfo.user)),
  ],
  'logged-out-token-stays-taken': [
    'logged-out-token-saved-again: The token of a session that was logged out is saved once more',
    forgetsSpentTokens,
  ],
  'disconnect-ends-everything': [
    'disconnect-is-a-logout: remove_authentication ends the one session, and keeps the link',
    before(DISCONNECT, ({ call }) => ({ ...call, method: LOG_OUT })),
    'disconnect-leaves-sessions: remove_authentication ends its own session, and leaves the others of the user',
    leavesSessions(() => true),
    'getsentry/sentry#108250',
    'brendanlong/lion-reader#1560',
    'Flowfin/jellyfin-plugin-sso#468',
  ],
  'disconnect-removes-link': [
    'disconnect-keeps-link: remove_authentication ends the sessions, and new ones are saved as before',
    disconnectKeepsLink,
  ],
  'new-link-new-signature': [
    'signature-of-patient: The user_sign is computed from the patient, and returns with a new link',
    withStore((store) => ({
      link: (request) => store.link({ ...request, newUserSign: bytesToHex(hashToken(request.patientId)) }),
    })),
    'old-signature-taken: A digest over the user_sign of a link that was removed is taken',
    takesSignsOf(() => true),
  ],
  'signature-kept-at-relogin': [
    'signature-drawn-each-time: Each authenticate returns a new user_sign',
    withStore((store, { random }) => ({
      async link(request) {
        const outcome = await store.link(request);
        return 'refused' in outcome ? outcome : { userSign: randomToken(random) };
      },
    })),
  ],
  'logout-ends-its-exchange-tokens': [
    'logout-leaves-exchange-tokens: A logout leaves the pending exchange tokens of its session alive',
    keepsPending(LOG_OUT),
    'logout-ends-all-exchange-tokens: A logout ends the pending exchange tokens of all sessions of the user',
    both(
      after(done(LOG_OUT), ({ cred, seen }) => {
        for (const [token, { user }] of seen.exchangeTokens)
          if (user === cred.user) seen.notes('over').set(token, true);
      }),
      instead(AUTHENTICATE, ({ params, seen }) =>
        seen.notes('over').has(params.exchangeToken) ? no('exchange_token_unknown') : undefined,
      ),
    ),
  ],
  'disconnect-ends-exchange-tokens': [
    'disconnect-leaves-exchange-tokens: remove_authentication leaves the pending exchange tokens of the user alive',
    keepsPending(DISCONNECT),
  ],
  'logout-seen-by-next-read': [
    'logout-cached: Reads are answered from a cache, which a logout does not clear',
    cachesReads,
    'mitreid-connect/OpenID-Connect-Java-Spring-Server#837',
    'keygen-sh/keygen-api#651',
    'DuendeArchive/IdentityModel.AspNetCore.OAuth2Introspection#45',
  ],
});
