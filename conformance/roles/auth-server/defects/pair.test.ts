import { expect, test } from 'vitest';
import type { Verdict } from '../../../engine/check/verdict.ts';
import { Ledger } from '../../../engine/defects/ledger.ts';
import { judgePair } from '../self-test/pairs.ts';
import { digests, replaces, watches } from './calls/outgoing.ts';
import type { Mock } from './change.ts';
import type { Defect } from './defect.ts';
import { hidingIds } from './hiding.ts';
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
    defect('a', { fetch: naming('a'), env: { A: '1', C: '3' }, faults: ['x'] }),
    defect('b', { fetch: naming('b'), env: { B: '2', C: '3' }, faults: ['y'] }),
  );
  if (!('variant' in made)) throw new Error(made.because);
  await made.variant.fetch?.(async () => new Response(), new Ledger())('http://127.0.0.1');
  expect(sent).toEqual(['b', 'a']);
  expect(made.variant).toMatchObject({ id: 'a+b', faults: ['x', 'y'], env: { A: '1', B: '2', C: '3' } });
});

test('a change of both defects is made by one after the other', () => {
  const marks: string[] = [];
  const marking = (mark: string) => defect(mark, { parts: () => void marks.push(mark) });
  const made = composed(marking('a'), marking('b'));
  if (!('variant' in made)) throw new Error(made.because);
  made.variant.parts?.({} as Mock);
  expect(marks).toEqual(['a', 'b']);
});

test('a watcher of the wire stands before a replacer of replies', async () => {
  const seen: string[] = [];
  const watching = defect(
    'a',
    watches((send) => async (input, init) => {
      const response = await send(input, init);
      seen.push(await response.clone().text());
      return response;
    }),
  );
  const replacing = defect(
    'b',
    replaces((send) => async (input, init) => {
      await send(input, init);
      return new Response('made up');
    }),
  );
  for (const [one, other] of [
    [watching, replacing],
    [replacing, watching],
  ] as const) {
    const made = composed(one, other);
    if (!('variant' in made)) throw new Error(made.because);
    const right = async () => new Response('from the wire');
    const response = await made.variant.fetch?.(right, new Ledger())('http://127.0.0.1');
    expect(await response?.text()).toBe('made up');
  }
  expect(seen).toEqual(['from the wire', 'from the wire']);
});

test('the changes of both to the adapter file and the settings are made', () => {
  const made = composed(
    defect('a', { file: { namesUser: ['logout'], perDay: 5 }, settings: { sessionMinutes: 9 } }),
    defect('b', { file: { namesUser: ['deleteUser'] }, settings: { answerAfterMs: 1 } }),
  );
  expect(made).toMatchObject({
    variant: {
      file: { namesUser: ['logout', 'deleteUser'], perDay: 5 },
      settings: { sessionMinutes: 9, answerAfterMs: 1 },
    },
  });
});

test('what cannot be put into one server says why', () => {
  const digest = digests(() => '');
  expect(composed(defect('a', digest), defect('b', digest))).toEqual({ because: 'both make the digest' });
  expect(composed(defect('a', { env: { T: '1' } }), defect('b', { env: { T: '2' } }))).toEqual({
    because: 'both set T',
  });
});

test('a seed draws the same pairs, of one shape and different checks', () => {
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

test('only defects of the catalogue hide others', () => {
  const ids = new Set(defects.map(({ id }) => id));
  expect(hidingIds.filter((id) => !ids.has(id))).toEqual([]);
  expect(new Set(hidingIds).size).toBe(hidingIds.length);
});

test('a pair is named, unless one defect hides the other', () => {
  const pair = [defect('no-cred'), defect('b')] as const;
  const verdict = (check: string, outcome: Verdict['outcome'], blame = 'auth server') =>
    ({ check: `finds-${check}`, outcome, finding: { outcome, blame, because: 'why' } }) as unknown as Verdict;
  const result = (...verdicts: Verdict[]) => judgePair(pair, verdicts).result;
  expect(result(verdict('no-cred', 'fail'), verdict('b', 'fail'))).toBe('both named');
  expect(result(verdict('no-cred', 'fail'), verdict('b', 'inconclusive'))).toBe('one hides the other');
  expect(result(verdict('no-cred', 'fail'), verdict('b', 'not applicable'))).toBe('one hides the other');
  expect(result(verdict('no-cred', 'inconclusive'), verdict('b', 'fail'))).toBe('not named');
  expect(result(verdict('no-cred', 'fail'), verdict('b', 'pass'))).toBe('not named');
  expect(result(verdict('no-cred', 'inconclusive'), verdict('b', 'inconclusive'))).toBe('not named');
  expect(result(verdict('no-cred', 'fail', 'client'), verdict('b', 'fail'))).toBe('not named');
  expect(result(verdict('no-cred', 'fail'))).toBe('not named');
  const silent = verdict('b', 'inconclusive', 'harness');
  Object.assign(silent.finding, { because: 'the kit itself stood still for 900 ms meanwhile' });
  expect(result(verdict('no-cred', 'fail'), silent)).toBe('disturbed');
});
