import { expect, test } from 'vitest';
import { judgePair } from '../self-test/pairs.ts';
import type { Verdict } from '../verdict.ts';
import type { Defect } from './defect.ts';
import { defects } from './index.ts';
import { composed, seededPairs } from './pair.ts';

const defect = (id: string, more: Partial<Defect> = {}): Defect => ({
  id,
  title: id,
  caughtBy: `finds-${id}`,
  ...more,
});

test('both ways of sending take part, and the faults and settings of both', async () => {
  const sent: string[] = [];
  const naming =
    (name: string) =>
    (send: typeof fetch): typeof fetch =>
    (input, init) => {
      sent.push(name);
      return send(input, init);
    };
  const made = composed(
    defect('a', { fetch: naming('a'), faults: ['x'], env: { A: '1', C: '3' } }),
    defect('b', { fetch: naming('b'), faults: ['y'], env: { B: '2', C: '3' } }),
  );
  if (!('variant' in made)) throw new Error(made.because);
  await made.variant.fetch?.(async () => new Response())('http://127.0.0.1');
  expect(sent).toEqual(['b', 'a']);
  expect(made.variant).toMatchObject({ id: 'a+b', faults: ['x', 'y'], env: { A: '1', B: '2', C: '3' } });
});

test('what both change in the server is changed by one and then by the other', () => {
  type Context = Parameters<NonNullable<NonNullable<ReturnType<NonNullable<Defect['variation']>>['context']>>>[0];
  const marking = (mark: string) =>
    defect(mark, {
      variation: () => ({ context: (context) => ({ ...context, marks: [...marksOf(context), mark] }) as Context }),
    });
  const marksOf = (context: Context) => (context as Context & { marks?: string[] }).marks ?? [];
  const made = composed(marking('a'), marking('b'));
  if (!('variant' in made)) throw new Error(made.because);
  expect(made.variant.variation?.().context?.({} as Context)).toEqual({ marks: ['a', 'b'] });
});

test('what cannot be put into one server says why', () => {
  const digest = { variation: () => ({ digest: () => '' }) };
  expect(composed(defect('a', digest), defect('b', digest))).toEqual({ because: 'both make the digest' });
  expect(composed(defect('a', { env: { T: '1' } }), defect('b', { env: { T: '2' } }))).toEqual({
    because: 'both set T',
  });
});

test('pairs are of one shape and of different checks, and the same seed draws the same ones', () => {
  const pairs = seededPairs(defects, 200, 7);
  expect(pairs).toHaveLength(200);
  for (const [a, b] of pairs) {
    expect(a.shape ?? 'mock').toBe(b.shape ?? 'mock');
    expect(a.caughtBy).not.toBe(b.caughtBy);
  }
  expect(
    new Set(
      pairs.map((pair) =>
        pair
          .map(({ id }) => id)
          .sort()
          .join('+'),
      ),
    ).size,
  ).toBe(200);
  expect(seededPairs(defects, 200, 7)).toEqual(pairs);
  expect(seededPairs(defects, 200, 8)).not.toEqual(pairs);
});

test('a pair is named, or one is named and the other says what kept it from judging, and nothing else will do', () => {
  const pair = [defect('a'), defect('b')] as const;
  const verdict = (check: string, outcome: Verdict['outcome'], blame = 'auth server') =>
    ({ check: `finds-${check}`, outcome, finding: { outcome, blame, because: 'why' } }) as unknown as Verdict;
  const result = (...verdicts: Verdict[]) => judgePair(pair, verdicts).result;
  expect(result(verdict('a', 'fail'), verdict('b', 'fail'))).toBe('both named');
  expect(result(verdict('a', 'fail'), verdict('b', 'inconclusive'))).toBe('one hides the other');
  expect(result(verdict('a', 'not applicable'), verdict('b', 'fail'))).toBe('one hides the other');
  expect(result(verdict('a', 'fail'), verdict('b', 'pass'))).toBe('not named');
  expect(result(verdict('a', 'inconclusive'), verdict('b', 'inconclusive'))).toBe('not named');
  expect(result(verdict('a', 'fail', 'client'), verdict('b', 'fail'))).toBe('not named');
  expect(result(verdict('a', 'fail'))).toBe('not named');
  const silent = verdict('b', 'inconclusive', 'harness');
  Object.assign(silent.finding, { because: 'the kit itself stood still for 900 ms meanwhile' });
  expect(result(verdict('a', 'fail'), silent)).toBe('disturbed');
});
