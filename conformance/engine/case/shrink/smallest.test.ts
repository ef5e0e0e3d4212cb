import { expect, test } from 'vitest';
import { answerFact } from '../facts/answer-fact.ts';
import type { ScriptEnd } from '../run-script.ts';
import type { ScriptParts } from '../script.ts';
import { tracedCall, traceOfCalls } from '../testing/traces.ts';
import { smallest } from './smallest.ts';

const parts: ScriptParts = {
  ...{ head: [], constants: '', functions: {}, open: '' },
  ...{ drawnBy: () => undefined, urlOf: () => 'SERVER' },
};

/** Tries a fact about the last of three calls. `onParty` gets how many calls a script makes. */
async function tried(onParty: (calls: number) => ScriptEnd) {
  const [reasons, doing]: [string[], string[]] = [[], []];
  const fact = answerFact('third')(
    { id: 'x', rank: 0, text: 'it is refused' },
    (answer) => `!done(${answer})`,
  );
  const found = await smallest({
    wrong: traceOfCalls(['first', 'second', 'third'].map((key) => tracedCall(key))),
    ...{ fine: undefined, parts, rightParts: parts, facts: [fact], reasons, isByHand: false },
    sentenceFor: ({ text }) => text,
    onDoing: (what) => doing.push(what),
    onParty: async (script) => onParty(script.match(/'(first|second|third)'/g)?.length ?? 0),
    onRight: async () => ({ code: 0, said: 'holds' }),
    signal: new AbortController().signal,
  });
  return { found: found?.calls.map(({ key }) => key), reasons, doing };
}

test('the reason quoted is that of the attempt with most calls', async () => {
  const { reasons } = await tried((calls) => ({ code: 2, said: `not played with ${calls}` }));
  expect(reasons).toEqual(['on the party: not played with 3']);
});

test('a call that the fault needs stays, one that it does not need goes', async () => {
  const { found, doing } = await tried((calls) => ({ code: calls >= 2 ? 1 : 0, said: 'it is told' }));
  expect(found).toHaveLength(2);
  expect(doing[0]).toBe('trying difference 1 of 1: it is refused');
  expect(new Set(doing.slice(1))).toEqual(
    new Set(['leaving out calls: 3 are left', 'leaving out calls: 2 are left']),
  );
});
