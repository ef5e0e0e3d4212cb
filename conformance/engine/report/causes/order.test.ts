import { expect, test } from 'vitest';
import type { Facts } from '../../journal/facts.ts';
import { call, checksOf, READ, REFUSAL, refused, step, verdict } from '../testing/fake-causes.ts';
import { FakeJournal } from '../testing/fake-journal.ts';

test('what counts most is the first cause, however many checks show another', () => {
  const light = { outcome: 'differs', part: 'reference' };
  const same = { actual: 'it has no reason' };
  const verdicts = [
    ...['one', 'two', 'three'].map((name) => verdict(name, same, light)),
    verdict('advised', {}, { outcome: 'warning' }),
    verdict('fact', {}, { requirements: ['D2-rpc-is-200'] }),
    verdict('broken', {}),
  ];
  const causes = checksOf(verdicts, new FakeJournal());
  expect(causes.map(([first]) => first)).toEqual(['broken', 'fact', 'advised', 'one']);
});

test('a difference from the reference neither leads a failure nor joins two of them', () => {
  const journal = new FakeJournal();
  const login: Facts = { call: call('auth.login'), reply: { result: false, code: -34001, reason: 'x' } };
  const [read, save] = [
    step(journal, 'read', refused(READ), REFUSAL),
    step(journal, 'login', login, { ...REFUSAL, code: '-34001', reason: 'x' }),
  ];
  const calls = journal.entries.filter(({ kind }) => kind === 'exchange').map(({ seq }) => seq);
  const reason = verdict('reason', { actual: 'it has no reason', evidence: calls }, { outcome: 'differs' });
  const [first, second] = [verdict('read', { evidence: read }), verdict('login', { evidence: save })];
  expect(checksOf([reason, { ...reason, check: 'name' }, first, second], journal)).toEqual([
    ['read', 'reason', 'name'],
    ['login'],
  ]);
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
