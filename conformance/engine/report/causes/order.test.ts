import { expect, test } from 'vitest';
import { checksOf, verdict } from '../testing/fake-causes.ts';
import { FakeJournal } from '../testing/fake-journal.ts';

test('what counts most is the first cause, however many checks show another', () => {
  const light = { outcome: 'warning' };
  const same = { actual: 'it has no reason' };
  const verdicts = [
    ...['one', 'two', 'three'].map((name) => verdict(name, same, light)),
    verdict('broken', {}),
  ];
  const causes = checksOf(verdicts, new FakeJournal());
  expect(causes.map(([first]) => first)).toEqual(['broken', 'one']);
});

test('a failure leads a warning, and more failures lead fewer', () => {
  const journal = new FakeJournal();
  const warning = { outcome: 'warning' };
  const words = { advice: 'Say it in words.' };
  expect(checksOf([verdict('a', words, warning), verdict('b', words)], journal)).toEqual([['b', 'a']]);
  const other = { advice: 'Send it.' };
  const [few, many] = [
    [verdict('c', words), ...['d', 'e'].map((id) => verdict(id, words, warning))],
    ['f', 'g'].map((id) => verdict(id, other)),
  ];
  expect(checksOf([...few, ...many], journal)).toEqual([
    ['f', 'g'],
    ['c', 'd', 'e'],
  ]);
});
