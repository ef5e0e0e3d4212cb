import { expect, test } from 'vitest';
import type { Snapshot } from './history.ts';
import { linearize } from './linearize.ts';
import * as t from './testing.ts';

const verdict = (lines: readonly t.Line[], snapshot?: Snapshot) => linearize(t.historyOf(lines), snapshot).kind;

const linked = [t.save(0, 0, 0), { ...t.authenticate(0, 0), outcome: t.shows(0) }] as const;
const rows = {
  links: { 0: { patient: 0 } },
  sessions: { 0: { user: 0 } },
  exchanges: { 0: { user: 0, token: 0, used: true } },
} as const;

test('calls that overlap may have happened in either order, calls one after the other in theirs', () => {
  const race = (logoutAt: number) => [
    ...linked,
    { ...t.logout(0, 0), at: logoutAt },
    { ...t.read(0, 0), outcome: t.shows(0), at: 32 },
  ];
  expect(verdict(race(30))).toBe('explained');
  expect(verdict(race(20))).toBe('unexplained');
});

test('a call of unknown outcome may have worked late, early or never', () => {
  const cut = { ...t.save(0, 0, 0), outcome: t.unknown };
  const miss = { ...t.authenticate(0, undefined), outcome: t.refused('exchange_token_unknown') };
  const hit = { ...t.authenticate(0, undefined), outcome: t.refused('patient_not_matched') };
  expect(verdict([cut, miss, miss])).toBe('explained');
  expect(verdict([cut, hit, hit])).toBe('explained');
  expect(verdict([cut, miss, hit])).toBe('explained');
  expect(verdict([cut, hit, miss])).toBe('unexplained');
});

test('the signature of a link that nobody was told of is the one that shows first, and no other later', () => {
  const cut = [t.save(0, 0, 0), { ...t.authenticate(0, 0), outcome: t.unknown }];
  expect(
    verdict([...cut, { ...t.read(0, 0), outcome: t.shows(0, 4) }, { ...t.read(0, 0), outcome: t.shows(0, 4) }]),
  ).toBe('explained');
  expect(
    verdict([...cut, { ...t.read(0, 0), outcome: t.shows(0, 4) }, { ...t.read(0, 0), outcome: t.shows(0, 5) }]),
  ).toBe('unexplained');
});

test('a new link gets a new signature', () => {
  const again = (sign: number) => [
    ...linked,
    t.disconnect(0, 0),
    t.save(1, 0, 1),
    { ...t.authenticate(1, 0), outcome: t.shows(0, sign) },
  ];
  expect(verdict(again(1))).toBe('explained');
  expect(verdict(again(0))).toBe('unexplained');
});

test('the sixth attempt is exhausted, and not the fifth', () => {
  const wrong = { ...t.authenticate(0, undefined), outcome: t.refused('patient_not_matched') };
  const exhausted = { ...t.authenticate(0, 0), outcome: t.refused('exchange_token_exhausted') };
  expect(verdict([t.save(0, 0, 0), ...Array<t.Line>(5).fill(wrong), exhausted])).toBe('explained');
  expect(verdict([t.save(0, 0, 0), ...Array<t.Line>(4).fill(wrong), exhausted])).toBe('unexplained');
  expect(verdict([t.save(0, 0, 0), ...Array<t.Line>(6).fill(wrong)])).toBe('unexplained');
});

test('an exchange token expires after its ten minutes, not before', () => {
  const expired = { ...t.authenticate(0, 0), outcome: t.refused('exchange_token_expired') };
  expect(verdict([t.save(0, 0, 0), { ...expired, minute: 9 }])).toBe('unexplained');
  expect(verdict([t.save(0, 0, 0), { ...expired, minute: 10 }])).toBe('explained');
  expect(verdict([t.save(0, 0, 0), { ...t.authenticate(0, 0), outcome: t.shows(0), minute: 11 }])).toBe('unexplained');
});

test('the database must hold what the calls lead to', () => {
  expect(verdict(linked, t.snapshotOf(rows))).toBe('explained');
  for (const wrong of [
    { ...rows, links: {} },
    { ...rows, links: { 0: { patient: 1 } } },
    { ...rows, links: { 0: { patient: 0, sign: 9 } } },
    { ...rows, sessions: {} },
    { ...rows, sessions: { 0: 'ended' } as const },
    { ...rows, sessions: { 0: { user: 1 } } },
    { ...rows, sessions: { 0: { user: 0, recorded: true } } },
    { ...rows, sessions: { ...rows.sessions, 5: { user: 0 } } },
    { ...rows, exchanges: { 0: { user: 0, token: 0 } } },
    { ...rows, exchanges: { 0: { user: 0, token: 0, used: true, failures: 1 } } },
    { ...rows, exchanges: {} },
  ])
    expect(verdict(linked, t.snapshotOf(wrong))).toBe('unexplained');
});

test('what the database holds decides whether a call of unknown outcome worked', () => {
  const cut = [...linked, { ...t.record(0, 0), outcome: t.unknown }];
  expect(verdict(cut, t.snapshotOf(rows))).toBe('explained');
  expect(verdict(cut, t.snapshotOf({ ...rows, sessions: { 0: { user: 0, recorded: true } } }))).toBe('explained');
  const ended = [...linked, { ...t.logout(0, 0), outcome: t.unknown }];
  expect(verdict(ended, t.snapshotOf({ ...rows, sessions: { 0: 'ended' } }))).toBe('explained');
});

test('a search that would take too long says that it knows nothing', () => {
  const calls = Array.from({ length: 6 }, (_, n) => ({ ...t.save(n, 0, n), at: n, lasts: 100 }));
  expect(
    linearize(t.historyOf([...calls, { ...t.read(0, 0), outcome: t.shows(0), at: 200 }]), undefined, 10).kind,
  ).toBe('undecided');
});

test('the calls that could not be placed are named', () => {
  const found = linearize(t.historyOf([...linked, { ...t.read(1, 0), outcome: t.shows(0) }]), undefined);
  expect(found).toMatchObject({ kind: 'unexplained', placed: 2, stuck: [{ id: 3 }], atTheEnd: false });
});
