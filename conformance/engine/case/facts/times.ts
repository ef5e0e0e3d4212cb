/** Facts about times: what the party waits for before it answers, and how long its answers take. */
import type { Fact } from '../fact.ts';
import type { Trace, TracedCall } from '../trace/traced-call.ts';
import { answerFact } from './answer-fact.ts';
import { byMethod } from './messages.ts';
import { RANK } from './rank.ts';

/** Facts about the time of one answer. */
export function factsOfTime({ key, ended, began, inner, response }: TracedCall): Fact[] {
  if (!response) return [];
  const awaited = [...byMethod(inner)].flatMap(([method, all]) =>
    all.flatMap((each, index) => (each.response && each.ended <= ended ? [awaits(key, method, index)] : [])),
  );
  return [...awaited, ...LIMITS_MS.filter((limit) => ended - began <= limit).map((ms) => within(key, ms))];
}

/** How long (ms) an answer may take: a person notices the first, and another machine the last of them. */
const LIMITS_MS = [1_000, 300];

function awaits(key: string, method: string, index: number): Fact {
  return {
    ...{ id: `${key} awaits ${method} ${index}`, key, rank: RANK.order, isPortable: true },
    text: `"${key}" is answered after the EHR server has answered ${method}`,
    write(writer) {
      const [a, list] = [writer.answer(key), writer.sent(key, method)];
      if (a === undefined || list === undefined) return undefined;
      const at = `(${list}[${index}]?.answeredAt ?? Infinity)`;
      return { test: `${at} <= ${a}.at`, seen: `'answered ' + Math.round(${at} - ${a}.at) + ' ms before'` };
    },
  };
}

const within = (key: string, limit: number): Fact =>
  answerFact(key)(
    { id: `within ${limit}`, rank: RANK.time, text: `"${key}" is answered within ${limit} ms` },
    (a) => `${a}.took <= ${limit}`,
    (a) => `Math.round(${a}.took) + ' ms'`,
  );

/** Facts about two answers to equal steps: their lengths, and how long each takes beside the other. */
export function factsOfLikeAnswers({ calls, sides }: Trace): Fact[] {
  const own = calls.filter(({ link, response }) => sides.party.includes(link) && response !== undefined);
  return own.flatMap((later, index) =>
    own
      .slice(Math.max(0, index - MAX_BETWEEN), index)
      .filter(({ step }) => step === later.step)
      .flatMap((earlier) => [
        ...(earlier.response?.body.length === later.response?.body.length
          ? [sameLength(earlier, later)]
          : []),
        ...(isNoSlower(earlier, later) ? [noSlower(earlier, later)] : []),
        ...(isNoSlower(later, earlier) ? [noSlower(later, earlier)] : []),
      ]),
  );
}

/** Answers with more answers between them are not compared. */
const MAX_BETWEEN = 40;

/** A difference (ms) that a stranger can measure over a network. */
const TELLING_MS = 100;

const isNoSlower = (one: TracedCall, other: TracedCall) =>
  other.ended - other.began - (one.ended - one.began) <= TELLING_MS;

const noSlower = (one: TracedCall, { key }: TracedCall): Fact => ({
  ...{ id: `${key} no slower than ${one.key}`, key, rank: RANK.time, isPortable: true },
  text: `"${key}" takes about as long as "${one.key}"`,
  write(writer) {
    const [a, b] = [writer.answer(one.key), writer.answer(key)];
    if (a === undefined || b === undefined) return undefined;
    return {
      test: `${b}.took - ${a}.took <= ${TELLING_MS}`,
      seen: `Math.round(${a}.took) + ' and ' + Math.round(${b}.took) + ' ms'`,
    };
  },
});

const sameLength = (one: TracedCall, { key }: TracedCall): Fact => ({
  ...{ id: `${key} as long as ${one.key}`, key, rank: RANK.length, isPortable: true },
  text: `the answers to "${one.key}" and "${key}" have one length`,
  write(writer) {
    const [a, b] = [writer.answer(one.key), writer.answer(key)];
    if (a === undefined || b === undefined) return undefined;
    return {
      test: `${a}.body.length === ${b}.body.length`,
      seen: `${a}.body.length + ' and ' + ${b}.body.length + ' characters'`,
    };
  },
});
