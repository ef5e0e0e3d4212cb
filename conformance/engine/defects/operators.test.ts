import { expect, test } from 'vitest';
import type { TextPipeline } from '#protocol/methods/pipeline.ts';
import { type Clock, systemClock } from '#protocol/time/clock.ts';
import { Ledger } from './ledger.ts';
import { done, Operators, type PipelineChange, refused, seenBy } from './operators.ts';
import { no, withParams, yes } from './rpc-call.ts';

type Parts = { seen: Ledger; clock: Clock; runs: string[] };
const { before, after, instead, cached, inSharedVariable, asOneCall, forgets, both } = new Operators<Parts>(
  1,
);

const partsOf = (): Parts => ({ seen: new Ledger(), clock: systemClock, runs: [] });

/** A right party: it says how often it was called, and refuses the method "no". */
function serve(change: PipelineChange<Parts>, parts = partsOf()) {
  const right: TextPipeline = async (text) => {
    const { id, method, params } = JSON.parse(text);
    const run = parts.runs.push(`${method} ${params?.key ?? ''}`.trim());
    const outcome = method === 'no' ? no('user_unknown') : yes({ run });
    return { body: JSON.stringify({ jsonrpc: '2.0', ...outcome, id }) };
  };
  const pipeline = change.pipeline(seenBy(parts.seen, right), parts);
  return async (method: string, key?: string, id = '1') => {
    const { body } = await pipeline(JSON.stringify({ jsonrpc: '2.0', id, method, params: { key } }), 'any');
    const { result, error, ...rest } = JSON.parse(body ?? 'null');
    return { id: rest.id, ...(error ? { refused: error.data.reason } : { run: result.run }) };
  };
}

test('an operator changes, answers or refuses its own call and no other', async () => {
  const parts = partsOf();
  const call = serve(
    both(
      before('a', ({ call }) => withParams(call, { key: 'changed' })),
      instead(['b', 'c'], ({ params }) => (params.key === 'odd' ? no('not_authorized') : undefined)),
      after(refused('no', 'user_unknown'), () => yes({ run: 0 })),
    ),
    parts,
  );
  expect([await call('a', 'k'), await call('b', 'odd'), await call('c', 'k'), await call('no')]).toEqual([
    { id: '1', run: 1 },
    { id: '1', refused: 'not_authorized' },
    { id: '1', run: 2 },
    { id: '1', run: 0 },
  ]);
  expect(parts.runs).toEqual(['a changed', 'c k', 'no']);
});

test('the ledger holds each call with the reply of the right party, in order', async () => {
  const parts = partsOf();
  const call = serve(
    instead('none', () => no('not_authorized')),
    parts,
  );
  for (const method of ['a', 'none', 'no']) await call(method);
  expect(parts.seen.calls.map(({ method, result }) => [method, 'run' in result])).toEqual([
    ['a', true],
    ['no', false],
  ]);
});

test('a cached result comes again for the same key until the party forgets it', async () => {
  const parts = partsOf();
  const call = serve(
    cached('a', ({ params }) => params.key),
    parts,
  );
  expect([await call('a', 'k'), await call('a', 'k', '2'), await call('a', 'other')]).toEqual([
    { id: '1', run: 1 },
    { id: '2', run: 1 },
    { id: '1', run: 2 },
  ]);
  forgets('results').forget(parts);
  expect(await call('a', 'k')).toEqual({ id: '1', run: 3 });
});

test('calls at the same moment are one call, or share a variable', async () => {
  const joining = serve(asOneCall('a', ({ params }) => params.key));
  expect(await Promise.all([joining('a', 'k'), joining('a', 'k', '2')])).toEqual([
    { id: '1', run: 1 },
    { id: '2', run: 1 },
  ]);
  const sharing = serve(inSharedVariable('a'));
  expect(await Promise.all([sharing('a'), sharing('a', 'k', '2')])).toEqual([
    { id: '1', run: 2 },
    { id: '2', run: 2 },
  ]);
});

test('what a change throws is a refusal', async () => {
  const call = serve(
    after(done('a'), () => {
      throw new Error('in the change');
    }),
  );
  expect(await call('a')).toEqual({ id: '1', refused: 'internal_error' });
});
