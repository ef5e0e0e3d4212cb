/** Defects of sessions: opened, saved, ended. */
import { bytesToHex } from '@noble/hashes/utils.js';
import { randomToken } from '#protocol/time/random.ts';
import { hashToken } from '#protocol/wire/secrets.ts';
import { done } from '../../../../engine/defects/operators.ts';
import { no } from '../../../../engine/defects/rpc-call.ts';
import { after, before, both, instead, withRules, withStore } from '../changes.ts';
import { defects } from '../defect.ts';
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

export const sessionDefects = defects({
  'authenticate-opens-nothing': {
    title: 'authenticate links the user, and only save_auth_info opens the session',
    change: opensNothing,
    caughtBy: 'exchange-token-opens',
  },
  'user-alone-opens': {
    title: 'get_patient looks the session up by its user, and never at its token',
    change: completesCred(READ, byName),
    caughtBy: 'no-session-no-data',
    seenIn: ['cobbler/cobbler#1916 (CVE-2018-1000226)'],
  },
  'token-alone-opens': {
    title: 'get_patient looks the session up by its token, and never at its user',
    change: completesCred(READ, byToken),
    caughtBy: 'no-session-no-data',
  },
  'newest-session-without-cred': {
    title: 'get_patient without a cred is answered with the newest session',
    change: completesCred(READ, withoutCred),
    caughtBy: 'no-session-no-data',
  },
  'user-alone-removes': {
    title: 'A removal looks the session up by its user, and never at its token',
    change: completesCred(REMOVALS, byName),
    caughtBy: 'removal-needs-session',
    seenIn: ['cobbler/cobbler#1916 (CVE-2018-1000226)'],
  },
  'token-alone-removes': {
    title: 'A removal looks the session up by its token, and never at its user',
    change: completesCred(REMOVALS, byToken),
    caughtBy: 'removal-needs-session',
  },
  'removal-without-cred': {
    title: 'A removal without a cred ends the newest session',
    change: completesCred(REMOVALS, withoutCred),
    caughtBy: 'removal-needs-session',
  },
  'logout-removes-link': {
    title: 'A logout removes the link of the user, too',
    change: before(LOG_OUT, ({ call }) => ({ ...call, method: DISCONNECT })),
    caughtBy: 'save-opens-linked-user',
  },
  'first-save-refused': {
    title: 'The first save of the session that authenticate stored is refused',
    change: withRules({ recordAfterAuthenticate: 'never' }),
    caughtBy: 'first-save-records',
  },
  'repeated-save-ends-session': {
    title: 'A repeated save is refused, and ends the session',
    change: instead(OF_SESSIONS, ({ cred, seen }) =>
      seen.refused(SAVE, 'token_already_stored').some(({ authInfo }) => authInfo.token === cred.token)
        ? no('not_authorized')
        : undefined,
    ),
    caughtBy: 'repeated-save-refused',
  },
  'logout-ends-all': {
    title: 'A logout ends every session of the user',
    change: endsFurther(LOG_OUT, ({ cred, seen }) => seen.tokensOf(cred.user)),
    caughtBy: 'several-sessions-of-one-user',
    seenIn: ['opencloud-eu/docs#649'],
  },
  'one-session-per-user': {
    title: 'A new session of a user ends the others',
    change: endsFurther(SAVE, ({ authInfo, seen }) => seen.tokensOf(authInfo.user)),
    caughtBy: 'several-sessions-of-one-user',
  },
  'logged-out-token-saved-again': {
    title: 'The token of a session that was logged out is saved once more',
    change: forgetsSpentTokens,
    caughtBy: 'logged-out-token-stays-taken',
  },
  'disconnect-is-a-logout': {
    title: 'remove_authentication ends the one session, and keeps the link',
    change: before(DISCONNECT, ({ call }) => ({ ...call, method: LOG_OUT })),
    caughtBy: 'disconnect-ends-everything',
  },
  'disconnect-keeps-link': {
    title: 'remove_authentication ends the sessions, and new ones are saved as before',
    change: disconnectKeepsLink,
    caughtBy: 'disconnect-ends-everything',
  },
  'disconnect-leaves-sessions': {
    title: 'remove_authentication ends its own session, and leaves the others of the user',
    change: leavesSessions(() => true),
    caughtBy: 'disconnect-ends-everything',
    seenIn: ['getsentry/sentry#108250', 'brendanlong/lion-reader#1560', 'Flowfin/jellyfin-plugin-sso#468'],
  },
  'signature-of-patient': {
    title: 'The user_sign is computed from the patient, and returns with a new link',
    change: withStore((store) => ({
      link: (request) => store.link({ ...request, newUserSign: bytesToHex(hashToken(request.patientId)) }),
    })),
    caughtBy: 'new-link-new-signature',
  },
  'old-signature-taken': {
    title: 'A digest over the user_sign of a link that was removed is taken',
    change: takesSignsOf(() => true),
    caughtBy: 'new-link-new-signature',
  },
  'signature-drawn-each-time': {
    title: 'Each authenticate returns a new user_sign',
    change: withStore((store, { random }) => ({
      async link(request) {
        const outcome = await store.link(request);
        return 'refused' in outcome ? outcome : { userSign: randomToken(random) };
      },
    })),
    caughtBy: 'signature-kept-at-relogin',
  },
  'logout-leaves-exchange-tokens': {
    title: 'A logout leaves the pending exchange tokens of its session alive',
    change: keepsPending(LOG_OUT),
    caughtBy: 'logout-ends-its-exchange-tokens',
  },
  'logout-ends-all-exchange-tokens': {
    title: 'A logout ends the pending exchange tokens of all sessions of the user',
    change: both(
      after(done(LOG_OUT), ({ cred, seen }) => {
        for (const [token, { user }] of seen.exchangeTokens)
          if (user === cred.user) seen.notes('over').set(token, true);
      }),
      instead(AUTHENTICATE, ({ params, seen }) =>
        seen.notes('over').has(params.exchangeToken) ? no('exchange_token_unknown') : undefined,
      ),
    ),
    caughtBy: 'logout-ends-its-exchange-tokens',
  },
  'disconnect-leaves-exchange-tokens': {
    title: 'remove_authentication leaves the pending exchange tokens of the user alive',
    change: keepsPending(DISCONNECT),
    caughtBy: 'disconnect-ends-exchange-tokens',
  },
  'logout-cached': {
    title: 'Reads are answered from a cache, which a logout does not clear',
    change: cachesReads,
    caughtBy: 'logout-seen-by-next-read',
    seenIn: [
      'mitreid-connect/OpenID-Connect-Java-Spring-Server#837',
      'keygen-sh/keygen-api#651',
      'DuendeArchive/IdentityModel.AspNetCore.OAuth2Introspection#45',
    ],
  },
});
