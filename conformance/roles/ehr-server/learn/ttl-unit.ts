/** Finds the unit of ttl in a recording: by what became of sessions in time, or else by the numbers. */
import { isObject } from '#protocol/wire/envelope.ts';
import { errorTable } from '#protocol/wire/errors.ts';
import type { SeenCall } from '../../../engine/learn/seen-calls.ts';
import type { SeenFact } from '../../../engine/learn/seen-fact.ts';

export type TtlUnit = 'minutes' | 'seconds';

/** A ttl that was sent for a session. */
type SentTtl = { number: number; at: number; token: unknown; ttl: number };

/** The unit of ttl; undefined where no ttl was sent. */
export function ttlUnitIn(calls: readonly SeenCall[]): SeenFact<TtlUnit> | undefined {
  const sent = calls.flatMap(ttlOf);
  return bySessions(sent, calls) ?? byRemainder(sent) ?? byNumber(sent);
}

function ttlOf({ number, startedAt, params, reply }: SeenCall): SentTtl[] {
  const { authInfo } = params;
  if (!isObject(authInfo) || !('result' in reply)) return [];
  const { ttl, token } = authInfo;
  return typeof ttl === 'number' && ttl > 0 ? [{ number, at: startedAt, token, ttl }] : [];
}

/** By a session that was alive beyond its ttl in seconds, or over before its ttl in minutes. */
function bySessions(sent: readonly SentTtl[], calls: readonly SeenCall[]): SeenFact<TtlUnit> | undefined {
  for (const { number, startedAt, cred, reply } of calls) {
    const own = sent.filter(({ token, at }) => token === cred.token && at <= startedAt);
    const [first, last] = [own[0], own.at(-1)];
    if (!first || !last) continue;
    const since = (at: number) => (startedAt - at) / 1_000;
    const went = (at: number) => `${Math.round(since(at))} s later (request ${number})`;
    if ('result' in reply && since(last.at) > last.ttl)
      return { value: 'minutes', because: `a session with the ttl ${last.ttl} lived ${went(last.at)}` };
    if (isExpired(reply) && since(first.at) < first.ttl * 60)
      return {
        value: 'seconds',
        because: `a session with the ttl ${first.ttl} had expired ${went(first.at)}`,
      };
  }
  return undefined;
}

const isExpired = ({ error }: SeenCall['reply']): boolean =>
  isObject(error) && error.code === errorTable.session_expired.code;

/** By two values of one session: what remains the second time is less by the time between. */
function byRemainder(sent: readonly SentTtl[]): SeenFact<TtlUnit> | undefined {
  for (const [index, first] of sent.entries()) {
    const second = sent.slice(index + 1).find(({ token }) => token === first.token);
    if (!second) continue;
    const [seconds, less] = [(second.at - first.at) / 1_000, first.ttl - second.ttl];
    const because = `the ttl of a session was less by ${less} after ${Math.round(seconds)} s (requests ${first.number}, ${second.number})`;
    if (less >= MIN_LESS && Math.abs(less - seconds) <= 2) return { value: 'seconds', because };
    if (less >= 1 && seconds >= MIN_SECONDS && Math.abs(less - seconds / 60) <= 1)
      return { value: 'minutes', because };
  }
  return undefined;
}

/** From here on, a difference in seconds cannot be one in minutes that was rounded, and the reverse. */
const [MIN_LESS, MIN_SECONDS] = [3, 30];

/** By the number alone: people choose whole hours of seconds, and those are odd numbers of minutes. */
function byNumber([first]: readonly SentTtl[]): SeenFact<TtlUnit> | undefined {
  if (!first) return undefined;
  const { ttl, number } = first;
  const value = ttl % 3_600 === 0 ? 'seconds' : 'minutes';
  const hours = (perHour: number) => `${Math.round((ttl / perHour) * 10) / 10} hours`;
  const because = `by its number alone: ${ttl} is ${hours(60)} in minutes, ${hours(3_600)} in seconds (request ${number})`;
  return { value, because };
}
