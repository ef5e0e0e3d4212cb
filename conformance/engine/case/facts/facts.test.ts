import { expect, test } from 'vitest';
import { request, response } from '../../journal/testing/exchanges.ts';
import { tracedCall, traceOfCalls } from '../testing/traces.ts';
import { factsOf, oppositesOf } from './facts.ts';

test('calls to the wrong party alone end the other way, the last first', () => {
  const refused = { kind: 'refused', status: 200 } as const;
  const calls = [tracedCall('first'), tracedCall('second', { result: refused })];
  expect(oppositesOf(calls).map(({ text }) => text)).toEqual(['"second" succeeds', '"first" is refused']);
});

test('a long text is told where the answer repeats what was sent', () => {
  const id = 'x'.repeat(200);
  const said = (sent: unknown) => {
    const call = { ...request(), body: JSON.stringify({ id: sent }) };
    const trace = traceOfCalls([
      tracedCall('ask', { request: call, response: response(JSON.stringify({ id })) }),
    ]);
    return factsOf(trace).map(({ text }) => text);
  };
  expect(said(id)).toContain(`the answer to "ask" has in /id '${id}'`);
  expect(said('another')).not.toContain(`the answer to "ask" has in /id '${id}'`);
});
