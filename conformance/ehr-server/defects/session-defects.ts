/** Defects of sessions: opened, saved, ended. */
import { bytesToHex } from '@noble/hashes/utils.js';
import { digest } from '#protocol/digest.ts';
import { randomToken } from '#protocol/random.ts';
import { hashToken } from '#protocol/secrets.ts';
import type { EhrChange } from '../self-test/serve.ts';
import type { EhrDefect } from './defect.ts';
import { type KnownSessions, type Pair, remembering } from './known-sessions.ts';
import {
  AUTHENTICATE,
  accepted,
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
  success,
  type WireCall,
} from './messages.ts';
import { withRules, withStore } from './parts.ts';
import { keepsPending } from './pending-kept.ts';

const OF_SESSIONS = [READ, LOG_OUT, DISCONNECT];
const tokenOf = (call: WireCall) => String(credOf(call).token);

/** Ends further sessions with a call that succeeded. */
export function endsFurther(which: (call: WireCall, known: KnownSessions) => readonly string[]): EhrChange {
  return answering(
    remembering((known) => {
      const ended = new Set<string>();
      return async (call, { next }) => {
        if (OF_SESSIONS.includes(call.method) && ended.has(tokenOf(call))) return refusal(call, 'not_authorized');
        const before = which(call, known);
        const reply = await next();
        if (isDone(reply)) for (const token of before) ended.add(token);
        return reply;
      };
    }),
  );
}

/** Completes a cred by what the server remembers, instead of comparing it. */
export function completesCred(
  methods: readonly string[],
  complete: (given: Partial<Pair>, all: Pair[]) => Pair | undefined,
) {
  return answering(
    remembering((known) => (call, { next }) => {
      const cred = methods.includes(call.method) ? complete(credOf(call), known.pairs.toReversed()) : undefined;
      return next(cred ? { ...call, cred } : call);
    }),
  );
}

const byName = ({ user }: Partial<Pair>, all: Pair[]) => all.find((pair) => pair.user === user);
const byToken = ({ token }: Partial<Pair>, all: Pair[]) => all.find((pair) => pair.token === token);
const withoutCred = (given: Partial<Pair>, [newest]: Pair[]) => (given.token === undefined ? newest : undefined);

/** Answers a read from a cache that a removal does not clear. */
export const cachesReads: EhrChange = answering(() => {
  const keyOf = (call: WireCall) => JSON.stringify(call.cred);
  const cache = new Map<string, unknown>();
  return async (call, { next }) => {
    const known = call.method === READ ? cache.get(keyOf(call)) : undefined;
    if (known !== undefined) return accepted(call, known);
    const reply = await next();
    if (call.method === READ && isDone(reply)) cache.set(keyOf(call), reply?.result);
    return reply;
  };
});

/** Takes the token of a session that was logged out once more. */
export const forgetsSpentTokens: EhrChange = answering(() => {
  const spent = new Set<string>();
  return async (call, tools) => {
    const reply = await tools.next();
    if (call.method === LOG_OUT && isDone(reply)) spent.add(tokenOf(call));
    const isSpent = call.method === SAVE && spent.has(String(authInfoOf(call).token));
    return isSpent && reasonOf(reply) === 'token_already_stored' ? success(call, tools.parts) : reply;
  };
});

export const disconnectKeepsLink: EhrChange = answering(
  remembering((known) => async (call, tools) => {
    const reply = await tools.next();
    const wasLinked = call.method === SAVE && known.results.has(String(authInfoOf(call).user));
    return wasLinked && reasonOf(reply) === 'user_unknown' ? success(call, tools.parts) : reply;
  }),
);

const disconnectLeavesSessions: EhrChange = answering(
  remembering((known) => {
    const left = new Set<string>();
    return async (call, { next }) => {
      const { user, token } = credOf(call);
      const record = known.results.get(String(user));
      if (call.method === READ && left.has(String(token)) && record) return accepted(call, record);
      const reply = await next();
      if (call.method === DISCONNECT && isDone(reply))
        for (const other of known.of(user)) if (other !== token) left.add(other);
      return reply;
    };
  }),
);

const opensNothing: EhrChange = answering(
  remembering((known) => {
    const recorded = new Set<string>();
    return async (call, { next }) => {
      const token = tokenOf(call);
      const isAnnounced = [...known.pending.values()].some((pair) => pair.token === token);
      if (call.method === READ && isAnnounced && !recorded.has(token)) return refusal(call, 'not_authorized');
      const reply = await next();
      if (call.method === SAVE && isDone(reply)) recorded.add(String(authInfoOf(call).token));
      return reply;
    };
  }),
);

/** Remembers every signature of a user, and takes a digest over any of them. */
const takesOldSignatures: EhrChange = answering(
  remembering((known) => {
    const signs = new Set<string>();
    return async (call, tools) => {
      const { rules, store } = tools.parts;
      const { user } = authInfoOf(call);
      const link = call.method === SAVE ? await store.findLink(String(user)) : undefined;
      const isOld = [...signs].some((sign) => digest(rules.internalPassword, sign) === tokenOf(call));
      const cred = link && isOld && { ...credOf(call), token: digest(rules.internalPassword, link.userSign) };
      const reply = await tools.next(cred ? { ...call, cred } : call);
      for (const result of known.results.values()) signs.add(String((result as { userSign?: unknown }).userSign));
      return reply;
    };
  }),
);

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
