/** Finds the facts of a trace: outcomes, calls of the party, and what stands in their messages. */
import type { Fact, Writer } from '../fact.ts';
import type { Trace, TracedCall } from '../trace/traced-call.ts';
import { answerFact } from './answer-fact.ts';
import { factsOfCode, factsOfCodes, factsOfMessages } from './codes.ts';
import { byMethod, factsOfAnswer, factsOfSent, isUnderstood, METHODS } from './messages.ts';
import { factsOfGroups, factsOfPairs } from './pairs.ts';
import { RANK } from './rank.ts';
import { factsOfLikeAnswers, factsOfTime } from './times.ts';
import { factsOfTokens } from './tokens.ts';

/** All facts of a trace. */
export function factsOf(trace: Trace): Fact[] {
  const calls = trace.calls.filter(({ link }) => link !== 'helper');
  return [
    ...calls.flatMap((call) => [
      ...factsOfOutcome(call),
      ...factsOfAnswer(call, trace),
      ...factsOfInner(call, trace),
      ...factsOfCode(call),
      ...factsOfTime(call),
    ]),
    ...factsOfCodes(trace),
    ...factsOfMessages(trace),
    ...factsOfTokens(trace),
    ...factsOfGroups(trace),
    ...factsOfPairs(trace),
    ...(trace.sides.acts?.facts(trace) ?? factsOfLikeAnswers(trace)),
  ];
}

/**
 * For calls of a wrong party that a right one was not asked, because it had answered an earlier one
 * otherwise: that they end the other way. The last of them comes first.
 */
export const oppositesOf = (calls: readonly TracedCall[]): Fact[] =>
  calls
    .flatMap(({ key, result, link }) =>
      result && link !== 'person' ? [outcome(key, result.kind !== 'done')] : [],
    )
    .reverse();

/** Whether the call succeeded, and whether it was answered at all. */
function factsOfOutcome({ key, result, response, link }: TracedCall): Fact[] {
  const told = { id: 'told', rank: RANK.told, text: `"${key}" is answered, and not by an internal error` };
  // No right party refuses what a person does: such a step only failed to be played.
  const isPerson = link === 'person';
  const isDone = result?.kind === 'done';
  return [
    ...(result && (isDone || !isPerson) ? [{ ...outcome(key, isDone), isShown: isPerson }] : []),
    ...(response && isUnderstood(response) ? [answerFact(key)(told, (a) => `told(${a})`)] : []),
  ];
}

/** That a call succeeded, or was refused. */
function outcome(key: string, isDone: boolean): Fact {
  const fact = answerFact(key);
  const rank = RANK.outcome;
  return isDone
    ? fact({ id: 'done', rank, text: `"${key}" succeeds` }, (a) => `done(${a})`)
    : fact({ id: 'not done', rank, text: `"${key}" is refused` }, (a) => `!done(${a})`);
}

/** What the party called meanwhile, how often, and with what. */
function factsOfInner({ key, inner }: TracedCall, trace: Trace): Fact[] {
  const sent = byMethod(inner);
  const methods = new Set([...(trace.sides.acts?.methods ?? METHODS), ...sent.keys()]);
  return [...methods].flatMap((method) => {
    const all = sent.get(method) ?? [];
    const times = ['not sent', 'sent once', 'sent twice'][all.length] ?? `sent ${all.length} times`;
    const count: Fact = {
      ...{ id: `${key} ${method} ${all.length}`, key, rank: RANK.count, isPortable: true },
      text: `${method} is ${times} during "${key}"`,
      write(writer: Writer) {
        const list = writer.sent(key, method);
        if (list === undefined) return undefined;
        return { test: `${list}.length === ${all.length}`, seen: `${list}.length + ' calls'` };
      },
    };
    const each = all.flatMap(({ request }, index) => factsOfSent({ key, method, index }, request, trace));
    return [count, ...each];
  });
}
