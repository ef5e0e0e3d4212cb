/** Changes of what a server does with sessions, for the defects that need them. */
import { digest } from '#protocol/wire/digest.ts';
import type { EhrChange } from '../../self-test/serve.ts';
import {
  accepted,
  answering,
  authInfoOf,
  credOf,
  DISCONNECT,
  isDone,
  LOG_OUT,
  READ,
  reasonOf,
  refusal,
  SAVE,
  success,
  type WireCall,
} from '../messages/messages.ts';
import { type KnownSessions, type Pair, remembering } from './known-sessions.ts';

const OF_SESSIONS = [READ, LOG_OUT, DISCONNECT];
export const tokenOf = (call: WireCall) => String(credOf(call).token);

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

export const byName = ({ user }: Partial<Pair>, all: Pair[]) => all.find((pair) => pair.user === user);
export const byToken = ({ token }: Partial<Pair>, all: Pair[]) => all.find((pair) => pair.token === token);
export const withoutCred = (given: Partial<Pair>, [newest]: Pair[]) => (given.token === undefined ? newest : undefined);

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

export const disconnectLeavesSessions: EhrChange = answering(
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

export const opensNothing: EhrChange = answering(
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
export const takesOldSignatures: EhrChange = answering(
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
