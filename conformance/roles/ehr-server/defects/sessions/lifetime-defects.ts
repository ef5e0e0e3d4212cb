/** Defects that lengthen a session, or bring an expired one back. */
import type { EhrChange } from '../../self-test/serve.ts';
import type { EhrDefect } from '../defect.ts';
import { inResponses } from '../messages/http-messages.ts';
import {
  AUTHENTICATE,
  accepted,
  answering,
  authInfoOf,
  credOf,
  inReplies,
  isDone,
  membersOf,
  paramsOf,
  READ,
  reasonOf,
  refusal,
  SAVE,
  SAVE_EXCHANGE_TOKEN,
  success,
  type WireCall,
} from '../messages/messages.ts';
import { remembering } from './known-sessions.ts';
import { tokenOf } from './session-changes.ts';

const MAX_TIMER_MINUTES = 35_791;

/** Serves expired sessions of which `revives` tells that a call brings them back. */
function revivedBy(revives: (call: WireCall, token: string, userOf: (token: string) => unknown) => boolean): EhrChange {
  return answering(
    remembering((known) => {
      const alive = new Set<string>();
      const userOf = (token: string) =>
        known.pairs.find((pair) => pair.token === token)?.user ?? known.pending.get(token)?.user;
      return async (call, tools) => {
        for (const { token } of known.pairs) if (revives(call, token, userOf)) alive.add(token);
        const reply = await tools.next();
        const record = known.results.get(String(credOf(call).user));
        const isOver = call.method === READ && reasonOf(reply) === 'session_expired';
        return isOver && alive.has(tokenOf(call)) && record ? accepted(call, record) : reply;
      };
    }),
  );
}

const exchangeTokenOf = (call: WireCall) => String(paramsOf(call).exchangeToken);

/** Refuses a call about a session that was saved and is alive. */
const refusesLive = (method: string): EhrChange =>
  answering(() => {
    const sessionOf = new Map<unknown, unknown>();
    const alive = new Set<unknown>();
    return async (call, { next }) => {
      const { exchangeToken } = paramsOf(call);
      const { token } = authInfoOf(call);
      if (call.method === SAVE_EXCHANGE_TOKEN) sessionOf.set(exchangeToken, token);
      if (call.method === method && alive.has(sessionOf.get(exchangeToken)))
        return refusal(call, 'token_already_stored');
      const reply = await next();
      if (call.method === SAVE && isDone(reply)) alive.add(token);
      return reply;
    };
  });

export const lifetimeDefects: readonly EhrDefect[] = [
  {
    id: 'live-session-not-announced',
    title: 'save_exchange_token is refused for a session that is alive',
    change: refusesLive(SAVE_EXCHANGE_TOKEN),
    caughtBy: 'live-session-announced',
  },
  {
    id: 'live-session-not-authenticated',
    title: 'authenticate is refused where its session is alive already',
    change: refusesLive(AUTHENTICATE),
    caughtBy: 'live-session-announced',
  },
  {
    id: 'revived-by-save',
    title: 'A repeated save is refused, and begins the lifetime of the session again',
    change: revivedBy((call, token) => call.method === SAVE && authInfoOf(call).token === token),
    caughtBy: 'expired-session-not-revived',
  },
  {
    id: 'revived-by-sign-in',
    title: 'A sign-in on another device begins the lifetimes of all sessions of the user again',
    change: revivedBy(
      (call, token, userOf) => call.method === AUTHENTICATE && userOf(exchangeTokenOf(call)) === userOf(token),
    ),
    caughtBy: 'expired-session-not-revived',
  },
  {
    id: 'revived-by-exchange-token',
    title: 'An exchange token of before opens the expired session again',
    change: answering(
      remembering((known) => {
        const revived = new Set<string>();
        return async (call, tools) => {
          const reply = await tools.next();
          const pending = known.pending.get(exchangeTokenOf(call));
          if (call.method === AUTHENTICATE && reasonOf(reply) === 'token_already_stored' && pending) {
            revived.add(pending.token);
            return success(call, tools.parts);
          }
          const record = known.results.get(String(credOf(call).user));
          const isOver = call.method === READ && reasonOf(reply) === 'session_expired';
          return isOver && revived.has(tokenOf(call)) && record ? accepted(call, record) : reply;
        };
      }),
    ),
    caughtBy: 'expired-session-not-revived',
  },
  {
    id: 'lengthened-by-repeat',
    title: 'A repeated save of a live session is refused, and takes its ttl',
    change: revivedBy(
      (call, token) => call.method === SAVE && authInfoOf(call).token === token && Number(authInfoOf(call).ttl) > 1,
    ),
    caughtBy: 'session-not-lengthened',
  },
  {
    id: 'lengthened-by-announcement',
    title: 'An exchange token for a live session lengthens it',
    change: revivedBy((call, token) => call.method === SAVE_EXCHANGE_TOKEN && authInfoOf(call).token === token),
    caughtBy: 'session-not-lengthened',
  },
  {
    id: 'ttl-from-announcement',
    title: 'The lifetime of a session begins when its exchange token is saved',
    change: answering(() => {
      const ends = new Map<unknown, number>();
      return (call, { next, parts }) => {
        const { token, ttl } = authInfoOf(call);
        if (call.method === SAVE_EXCHANGE_TOKEN && !ends.has(token))
          ends.set(token, parts.clock.now() + Number(ttl) * 60_000);
        const isOver = parts.clock.now() >= (ends.get(credOf(call).token) ?? Infinity);
        return call.method === READ && isOver ? refusal(call, 'session_expired') : next();
      };
    }),
    caughtBy: 'session-not-lengthened',
  },
  {
    id: 'ttl-by-timer',
    title: 'A timer ends a session, and fires at once where the ttl is more than 24 days',
    change: answering(() => {
      const over = new Set<unknown>();
      return (call, { next }) => {
        const { token, ttl } = authInfoOf(call);
        if (call.method === SAVE && Number(ttl) > MAX_TIMER_MINUTES) over.add(token);
        return call.method === READ && over.has(credOf(call).token) ? refusal(call, 'session_expired') : next();
      };
    }),
    caughtBy: 'ttl-of-weeks',
  },
  {
    id: 'one-user-locks-all',
    title: 'Too many failed matches of one user lock every user',
    change: answering(() => {
      let failures = 0;
      return async (call, { next }) => {
        if (call.method !== AUTHENTICATE) return next();
        if (failures >= 20) return refusal(call, 'too_many_failed_matches');
        const reply = await next();
        if (reasonOf(reply) === 'patient_not_matched') failures++;
        return reply;
      };
    }),
    caughtBy: 'guesses-of-user-limited',
  },
  {
    id: 'refused-notification-answered',
    title: 'A notification that is refused is answered with its error',
    change: answering(() => async (call, { next }) => {
      if (call.id !== undefined) return next();
      const answered = await next({ ...call, id: 'none' });
      return answered && 'error' in answered ? { ...answered, id: null } : null;
    }),
    caughtBy: 'notification-carried-out',
  },
  {
    id: 'origin-by-beginning',
    title: 'An origin may call that begins with a configured one',
    change: inResponses(({ headers }, request) => {
      const { origin } = request.headers;
      return origin?.startsWith('http://localhost')
        ? { headers: { ...headers, 'access-control-allow-origin': origin } }
        : {};
    }),
    caughtBy: 'other-origin-refused',
    seenIn: ['F3-Nation/f3-nation#361'],
  },
  {
    id: 'origin-null-allowed',
    title: 'The origin null may call',
    change: inResponses(({ headers }, request) =>
      request.headers.origin === 'null' ? { headers: { ...headers, 'access-control-allow-origin': 'null' } } : {},
    ),
    caughtBy: 'other-origin-refused',
  },
  {
    id: 'own-patient-named',
    title: 'The refusal of a second patient names the first',
    change: inReplies((reply) =>
      reasonOf(reply) === 'patient_already_matched'
        ? { ...reply, error: { ...membersOf(reply.error), message: 'Linked to Petrova, Sidorov, Алёшин or Shields.' } }
        : reply,
    ),
    caughtBy: 'errors-tell-no-secrets',
    playing: ['other-patient-refused'],
  },
];
