/** Defects of sessions: opened, saved, ended. */
import { bytesToHex } from '@noble/hashes/utils.js';
import { randomToken } from '#protocol/time/random.ts';
import { hashToken } from '#protocol/wire/secrets.ts';
import type { EhrDefect } from '../defect.ts';
import {
  AUTHENTICATE,
  answering,
  authInfoOf,
  credOf,
  DISCONNECT,
  isDone,
  LOG_OUT,
  paramsOf,
  READ,
  reasonOf,
  refusal,
  SAVE,
} from '../messages/messages.ts';
import { withRules, withStore } from '../parts.ts';
import { remembering } from './known-sessions.ts';
import { keepsPending } from './pending-kept.ts';
import {
  byName,
  byToken,
  cachesReads,
  completesCred,
  disconnectKeepsLink,
  disconnectLeavesSessions,
  endsFurther,
  forgetsSpentTokens,
  opensNothing,
  takesOldSignatures,
  tokenOf,
  withoutCred,
} from './session-changes.ts';

export const sessionDefects: readonly EhrDefect[] = [
  {
    id: 'authenticate-opens-nothing',
    title: 'authenticate links the user, and the session opens with save_auth_info alone',
    change: opensNothing,
    caughtBy: 'exchange-token-opens',
  },
  {
    id: 'user-alone-opens',
    title: 'get_patient looks the session up by its user, and never at its token',
    change: completesCred([READ], byName),
    caughtBy: 'no-session-no-data',
    seenIn: ['cobbler/cobbler#1916 (CVE-2018-1000226)'],
  },
  {
    id: 'token-alone-opens',
    title: 'get_patient looks the session up by its token, and never at its user',
    change: completesCred([READ], byToken),
    caughtBy: 'no-session-no-data',
  },
  {
    id: 'newest-session-without-cred',
    title: 'get_patient without a cred is answered with the newest session',
    change: completesCred([READ], withoutCred),
    caughtBy: 'no-session-no-data',
  },
  {
    id: 'user-alone-removes',
    title: 'A removal looks the session up by its user, and never at its token',
    change: completesCred([LOG_OUT, DISCONNECT], byName),
    caughtBy: 'removal-needs-session',
    seenIn: ['cobbler/cobbler#1916 (CVE-2018-1000226)'],
  },
  {
    id: 'token-alone-removes',
    title: 'A removal looks the session up by its token, and never at its user',
    change: completesCred([LOG_OUT, DISCONNECT], byToken),
    caughtBy: 'removal-needs-session',
  },
  {
    id: 'removal-without-cred',
    title: 'A removal without a cred ends the newest session',
    change: completesCred([LOG_OUT, DISCONNECT], withoutCred),
    caughtBy: 'removal-needs-session',
  },
  {
    id: 'logout-removes-link',
    title: 'A logout removes the link of the user, too',
    change: answering(
      () =>
        (call, { next }) =>
          next(call.method === LOG_OUT ? { ...call, method: DISCONNECT } : call),
    ),
    caughtBy: 'save-opens-linked-user',
  },
  {
    id: 'first-save-refused',
    title: 'The first save of the session that authenticate stored is refused',
    change: withRules({ recordAfterAuthenticate: 'never' }),
    caughtBy: 'first-save-records',
  },
  {
    id: 'repeated-save-ends-session',
    title: 'A repeated save is refused, and ends the session',
    change: answering(() => {
      const ended = new Set<string>();
      return async (call, { next }) => {
        if (ended.has(tokenOf(call))) return refusal(call, 'not_authorized');
        const reply = await next();
        if (reasonOf(reply) === 'token_already_stored') ended.add(String(authInfoOf(call).token));
        return reply;
      };
    }),
    caughtBy: 'repeated-save-refused',
  },
  {
    id: 'logout-ends-all',
    title: 'A logout ends every session of the user',
    change: endsFurther((call, known) => (call.method === LOG_OUT ? known.of(credOf(call).user) : [])),
    caughtBy: 'several-sessions-of-one-user',
    seenIn: ['opencloud-eu/docs#649'],
  },
  {
    id: 'one-session-per-user',
    title: 'A new session of a user ends the others',
    change: endsFurther((call, known) => (call.method === SAVE ? known.of(authInfoOf(call).user) : [])),
    caughtBy: 'several-sessions-of-one-user',
  },
  {
    id: 'logged-out-token-saved-again',
    title: 'The token of a session that was logged out is saved once more',
    change: forgetsSpentTokens,
    caughtBy: 'logged-out-token-stays-taken',
  },
  {
    id: 'disconnect-is-a-logout',
    title: 'remove_authentication ends the one session, and keeps the link',
    change: answering(
      () =>
        (call, { next }) =>
          next(call.method === DISCONNECT ? { ...call, method: LOG_OUT } : call),
    ),
    caughtBy: 'disconnect-ends-everything',
  },
  {
    id: 'disconnect-keeps-link',
    title: 'remove_authentication ends the sessions, and sessions of the user are saved as before',
    change: disconnectKeepsLink,
    caughtBy: 'disconnect-ends-everything',
  },
  {
    id: 'disconnect-leaves-sessions',
    title: 'remove_authentication ends its own session, and the other sessions of the user go on reading',
    change: disconnectLeavesSessions,
    caughtBy: 'disconnect-ends-everything',
    seenIn: ['getsentry/sentry#108250', 'brendanlong/lion-reader#1560', 'Flowfin/jellyfin-plugin-sso#468'],
  },
  {
    id: 'signature-of-patient',
    title: 'The user_sign is computed from the id of the patient, and comes back with a new link',
    change: withStore((store) => ({
      link: (request) => store.link({ ...request, newUserSign: bytesToHex(hashToken(request.patientId)) }),
    })),
    caughtBy: 'new-link-new-signature',
  },
  {
    id: 'old-signature-taken',
    title: 'A digest over the user_sign of a link that was removed is taken',
    change: takesOldSignatures,
    caughtBy: 'new-link-new-signature',
  },
  {
    id: 'signature-drawn-each-time',
    title: 'Each authenticate returns a new user_sign',
    change: withStore((store, { random }) => ({
      async link(request) {
        const outcome = await store.link(request);
        return 'refused' in outcome ? outcome : { userSign: randomToken(random) };
      },
    })),
    caughtBy: 'signature-kept-at-relogin',
  },
  {
    id: 'logout-leaves-exchange-tokens',
    title: 'A logout leaves the pending exchange tokens of its session alive',
    change: keepsPending('removeSession'),
    caughtBy: 'logout-ends-its-exchange-tokens',
  },
  {
    id: 'logout-ends-all-exchange-tokens',
    title: 'A logout ends the pending exchange tokens of all sessions of the user',
    change: answering(
      remembering((known) => {
        const ended = new Set<string>();
        return async (call, { next }) => {
          if (call.method === AUTHENTICATE && ended.has(String(paramsOf(call).exchangeToken)))
            return refusal(call, 'exchange_token_unknown');
          const reply = await next();
          if (call.method === LOG_OUT && isDone(reply))
            for (const [token, { user }] of known.pending) if (user === credOf(call).user) ended.add(token);
          return reply;
        };
      }),
    ),
    caughtBy: 'logout-ends-its-exchange-tokens',
  },
  {
    id: 'disconnect-leaves-exchange-tokens',
    title: 'remove_authentication leaves the pending exchange tokens of the user alive',
    change: keepsPending('removeUser'),
    caughtBy: 'disconnect-ends-exchange-tokens',
  },
  {
    id: 'logout-cached',
    title: 'Reads are answered from a cache, which a logout does not clear',
    change: cachesReads,
    caughtBy: 'logout-seen-by-next-read',
    seenIn: [
      'mitreid-connect/OpenID-Connect-Java-Spring-Server#837',
      'keygen-sh/keygen-api#651',
      'DuendeArchive/IdentityModel.AspNetCore.OAuth2Introspection#45',
    ],
  },
];
