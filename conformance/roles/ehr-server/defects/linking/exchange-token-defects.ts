/** Defects of exchange tokens: what they open, how often, how long. */
import { memoryStore } from '#ehr-server/store/memory.ts';
import type { Attempt, Store } from '#ehr-server/store/store.ts';
import type { EhrChange } from '../../self-test/serve.ts';
import type { EhrDefect } from '../defect.ts';
import {
  AUTHENTICATE,
  accepted,
  answering,
  credOf,
  isDone,
  paramsOf,
  READ,
  reasonOf,
  refusal,
  SAVE_EXCHANGE_TOKEN,
  success,
  withParams,
} from '../messages/messages.ts';
import { withStore } from '../parts.ts';
import { remembering } from '../sessions/known-sessions.ts';

const MINUTE_MS = 60_000;

/** Changes each attempt to identify a patient. */
function inAttempts(change: <A extends Attempt>(attempt: A) => A): EhrChange {
  return withStore((store) => ({
    refusalOf: (attempt) => store.refusalOf(change(attempt)),
    link: (request) => store.link(change(request)),
    countFailure: (attempt) => store.countFailure(change(attempt)),
  }));
}

const TOLERANCE_MS = 500;

const agedBy = (ms: number) => inAttempts((attempt) => ({ ...attempt, now: attempt.now + ms }));

/** Counts each failure so many times. */
const countsTimes = (times: number): EhrChange =>
  withStore((store) => ({
    async countFailure(attempt) {
      const first = await store.countFailure(attempt);
      for (let more = 1; more < times; more++) await store.countFailure(attempt);
      return first;
    },
  }));

/** A store that lets any number of matches fail. */
function patientStore(): Store {
  return memoryStore({ audit: true, failedMatchesPerHour: Number.MAX_SAFE_INTEGER });
}

const announcedSessionOpen: EhrChange = answering(
  remembering((known) => async (call, { next }) => {
    const reply = await next();
    const isAnnounced = [...known.pending.values()].some(({ token }) => token === credOf(call).token);
    if (call.method !== READ || isDone(reply) || !isAnnounced) return reply;
    return accepted(call, { patient: null });
  }),
);

export const repliesAgain: EhrChange = answering(() => {
  const replies = new Map<unknown, unknown>();
  return async (call, { next }) => {
    const { exchangeToken } = paramsOf(call);
    const known = call.method === AUTHENTICATE ? replies.get(exchangeToken) : undefined;
    if (known !== undefined) return accepted(call, known);
    const reply = await next();
    if (call.method === AUTHENTICATE && isDone(reply)) replies.set(exchangeToken, reply?.result);
    return reply;
  };
});

/** Opens the session of the caller of authenticate, and not that which was announced. */
const userOfTheCall: EhrChange = answering(
  remembering((known) => {
    const opened = new Map<unknown, unknown>();
    return async (call, { next }) => {
      const { user, token } = credOf(call);
      const announced = opened.get(token);
      if (call.method === READ && announced !== undefined) return next({ ...call, cred: announced });
      const reply = await next();
      if (call.method === AUTHENTICATE && isDone(reply) && user !== undefined)
        opened.set(token, known.pending.get(String(paramsOf(call).exchangeToken)));
      return reply;
    };
  }),
);

const newestAlone: EhrChange = answering(() => {
  const newest = new Map<unknown, unknown>();
  const sessionOf = new Map<unknown, unknown>();
  return (call, { next }) => {
    const { exchangeToken, authInfo } = paramsOf(call);
    if (call.method === SAVE_EXCHANGE_TOKEN) {
      const { token } = Object(authInfo) as { token?: unknown };
      sessionOf.set(exchangeToken, token);
      newest.set(token, exchangeToken);
    }
    const isOld = newest.get(sessionOf.get(exchangeToken)) !== exchangeToken;
    if (call.method === AUTHENTICATE && sessionOf.has(exchangeToken) && isOld)
      return refusal(call, 'exchange_token_unknown');
    return next();
  };
});

const pendingWithoutLimit: EhrChange = answering(
  remembering((known) => async (call, tools) => {
    const reply = await tools.next();
    const exchangeToken = String(paramsOf(call).exchangeToken);
    const isPending = known.pending.has(exchangeToken) && !known.used.has(exchangeToken);
    return isPending && reasonOf(reply) === 'exchange_token_unknown' ? success(call, tools.parts) : reply;
  }),
);

/** Finds a stored exchange token that is only like the one that was sent. */
function findsLike(isLike: (stored: string, sent: string) => boolean): EhrChange {
  return answering(
    remembering((known) => (call, { next }) => {
      const sent = paramsOf(call).exchangeToken;
      if (call.method !== AUTHENTICATE || typeof sent !== 'string') return next();
      const found = [...known.pending.keys()].find((stored) => isLike(stored, sent));
      return next(found === undefined ? call : withParams(call, { exchangeToken: found }));
    }),
  );
}

export const exchangeTokenDefects: readonly EhrDefect[] = [
  {
    id: 'announced-session-open',
    title: 'The session of an exchange token is open before anybody has authenticated',
    change: announcedSessionOpen,
    caughtBy: 'exchange-token-alone-opens-nothing',
  },
  {
    id: 'used-token-replies-again',
    title: 'A used exchange token is answered with the reply of its first use',
    change: repliesAgain,
    caughtBy: 'exchange-token-used-once',
  },
  {
    id: 'session-of-the-caller',
    title: 'authenticate opens the session of the cred in the call',
    change: userOfTheCall,
    caughtBy: 'exchange-token-opens-its-own-session',
  },
  {
    id: 'exchange-token-fifteen-minutes',
    title: 'A tolerance of five minutes keeps exchange tokens alive after their end',
    change: agedBy(-5 * MINUTE_MS),
    caughtBy: 'exchange-token-expires',
    seenIn: ['Altinn/altinn-studio#4085'],
  },
  {
    id: 'exchange-token-half-a-second-longer',
    title: 'A tolerance of half a second keeps exchange tokens alive after their end',
    change: agedBy(-TOLERANCE_MS),
    caughtBy: 'over-at-the-instant',
  },
  {
    id: 'exchange-token-five-minutes',
    title: 'An exchange token lives five minutes',
    change: agedBy(5 * MINUTE_MS),
    caughtBy: 'exchange-token-expires',
  },
  {
    id: 'one-attempt-alone',
    title: 'The first failed match uses up the exchange token',
    change: countsTimes(5),
    caughtBy: 'failed-match-keeps-exchange-token',
  },
  {
    id: 'failures-counted-twice',
    title: 'Each failed match is counted twice',
    change: countsTimes(2),
    caughtBy: 'failed-match-keeps-exchange-token',
  },
  {
    id: 'failures-not-counted',
    title: 'Failed matches are not counted',
    change: withStore(() => ({ countFailure: async () => undefined })),
    caughtBy: 'exchange-token-exhausted',
  },
  {
    id: 'newest-exchange-token-alone',
    title: 'A new exchange token of a session ends the one before',
    change: newestAlone,
    caughtBy: 'exchange-tokens-independent',
  },
  {
    id: 'pending-without-limit',
    title: 'A session may have any number of exchange tokens pending',
    change: pendingWithoutLimit,
    caughtBy: 'exchange-tokens-of-five-newest',
  },
  {
    id: 'beginning-of-exchange-token',
    title: 'The beginning of an exchange token finds it',
    change: findsLike((stored, sent) => sent.length >= 8 && stored.startsWith(sent)),
    caughtBy: 'like-exchange-token-refused',
  },
  {
    id: 'exchange-token-in-any-case',
    title: 'Exchange tokens are compared without regard to capitals',
    change: findsLike((stored, sent) => stored.toLowerCase() === sent.toLowerCase()),
    caughtBy: 'like-exchange-token-refused',
  },
  {
    id: 'exchange-token-as-pattern',
    title: 'An exchange token is searched by LIKE: a percent sign fits any',
    change: findsLike((stored, sent) => sent.endsWith('%') && stored.startsWith(sent.slice(0, -1))),
    caughtBy: 'like-exchange-token-refused',
  },
  {
    id: 'guesses-of-token-alone',
    title: 'Failed matches are counted for each exchange token alone',
    change: { parts: () => ({ store: patientStore() }) },
    caughtBy: 'guesses-of-user-limited',
  },
  {
    id: 'guesses-of-user-alone',
    title: 'Failed matches are counted for the user alone, and not for the phone',
    change: inAttempts((attempt) => ({ ...attempt, phone: undefined })),
    caughtBy: 'guesses-of-phone-limited',
  },
  {
    id: 'user-locked-for-good',
    title: 'A user with too many failed matches is locked for good',
    change: answering(
      remembering((known) => {
        const locked = new Set<unknown>();
        return async (call, { next }) => {
          const user = known.pending.get(String(paramsOf(call).exchangeToken))?.user;
          if (call.method === AUTHENTICATE && locked.has(user)) return refusal(call, 'too_many_failed_matches');
          const reply = await next();
          if (reasonOf(reply) === 'too_many_failed_matches') locked.add(user);
          return reply;
        };
      }),
    ),
    caughtBy: 'guesses-of-user-limited',
  },
];
