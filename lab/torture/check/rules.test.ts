import { expect, test } from 'vitest';
import { linearize } from './linearize.ts';
import { violationsOf } from './rules.ts';
import * as t from './testing.ts';

/** User 0 is linked to patient 0 by session 0, with signature 0. */
const linked = [t.save(0, 0, 0), { ...t.authenticate(0, 0), outcome: t.shows(0) }] as const;

/** Returns the rules that the ledger breaks. Checks that the search fails exactly when a rule is broken. */
function brokenBy(lines: readonly t.Line[]): string[] {
  const history = t.historyOf(lines);
  const rules = [...new Set(violationsOf(history).map(({ rule }) => rule))];
  expect(linearize(history, undefined).kind).toBe(rules.length > 0 ? 'unexplained' : 'explained');
  return rules;
}

test('a flow without a fault breaks no rule', () => {
  expect(
    brokenBy([
      ...linked,
      t.record(0, 0),
      { ...t.record(0, 0), outcome: t.refused('token_already_stored') },
      { ...t.read(0, 0), outcome: t.shows(0) },
      { ...t.authenticate(0, 0), outcome: t.refused('exchange_token_unknown') },
      t.logout(0, 0),
      { ...t.read(0, 0), outcome: t.refused('not_authorized') },
      t.record(0, 1),
      t.disconnect(0, 1),
      { ...t.record(0, 2), outcome: t.refused('user_unknown') },
    ]),
  ).toEqual([]);
});

test('an exchange token that two processes took at the same time was used twice', () => {
  expect(
    brokenBy([
      t.save(0, 0, 0),
      { ...t.authenticate(0, 0), outcome: t.shows(0), at: 10, process: 'ehr-1#1' },
      { ...t.authenticate(0, 0), outcome: t.shows(0), at: 11, process: 'ehr-2#1' },
    ]),
  ).toEqual(['exchange-token-used-twice']);
});

test('a used exchange token that is answered like a pending one breaks a rule', () => {
  expect(brokenBy([...linked, { ...t.authenticate(0, undefined), outcome: t.refused('patient_not_matched') }])).toEqual(
    ['used-token-answered'],
  );
});

test('an exchange token that was acknowledged and is not known is lost', () => {
  const loss = [t.save(0, 0, 0), { ...t.authenticate(0, 0), outcome: t.refused('exchange_token_unknown') }];
  expect(brokenBy(loss)).toEqual(['acknowledged-exchange-token-lost']);
  const explained = [t.save(0, 0, 0), { ...t.authenticate(0, 0), outcome: t.unknown }, ...loss.slice(1)];
  expect(brokenBy(explained)).toEqual([]);
});

test('an exchange token that ended with its session, or was overtaken by five newer ones, is not lost', () => {
  const gone = { ...t.authenticate(0, 0), outcome: t.refused('exchange_token_unknown') };
  expect(brokenBy([...linked, t.save(5, 0, 0), t.logout(0, 0), { ...gone, exchange: 5 }])).toEqual([]);
  expect(brokenBy([...linked, t.save(5, 0, 0), t.logout(0, 1), { ...gone, exchange: 5 }])).toContain(
    'acknowledged-exchange-token-lost',
  );
  const newer = [1, 2, 3, 4, 5].map((exchange) => t.save(exchange, 0, 0));
  expect(brokenBy([t.save(0, 0, 0), ...newer, gone])).toEqual([]);
  expect(brokenBy([t.save(0, 0, 0), ...newer.slice(1), gone])).toEqual(['acknowledged-exchange-token-lost']);
});

test('a second save of a token that succeeds breaks a rule, unless authenticate opened it anew', () => {
  expect(brokenBy([...linked, t.record(0, 0), t.record(0, 0)])).toEqual(['token-saved-twice']);
  expect(brokenBy([...linked, t.record(0, 1), t.record(0, 1)])).toEqual(['token-saved-twice']);
  const anew = [t.logout(0, 0), t.save(1, 0, 0), { ...t.authenticate(1, 0), outcome: t.shows(0) }];
  expect(brokenBy([...linked, t.record(0, 0), ...anew, t.record(0, 0)])).toEqual([]);
  expect(brokenBy([...linked, t.record(0, 0), ...anew, t.record(0, 0), t.record(0, 0)])).toEqual(['token-saved-twice']);
});

test('a token that two users hold breaks a rule', () => {
  const other = [t.save(1, 1, 1), { ...t.authenticate(1, 1), outcome: t.shows(1, 1) }];
  expect(brokenBy([...linked, ...other, t.record(0, 2), { ...t.read(1, 2), outcome: t.shows(1, 1) }])).toEqual([
    'token-held-twice',
  ]);
});

test('a patient of two users breaks a rule, and not when the first may have disconnected', () => {
  const second = [t.save(1, 1, 1), { ...t.authenticate(1, 0), outcome: t.shows(0, 1) }];
  expect(brokenBy([...linked, ...second])).toEqual(['patient-linked-twice']);
  expect(brokenBy([...linked, t.disconnect(0, 0), ...second])).toEqual([]);
  expect(brokenBy([...linked, { ...t.disconnect(0, 0), outcome: t.unknown }, ...second])).toEqual([]);
});

test('a user of two patients breaks a rule', () => {
  const second = [t.save(1, 0, 1), { ...t.authenticate(1, 1), outcome: t.shows(1, 1) }];
  expect(brokenBy([...linked, ...second])).toEqual(['user-linked-twice']);
});

test('an acknowledged session that is refused is lost, and not when a logout of unknown outcome may have ended it', () => {
  const refusal = { ...t.read(0, 0), outcome: t.refused('not_authorized') };
  expect(brokenBy([...linked, refusal])).toEqual(['acknowledged-session-lost']);
  expect(brokenBy([...linked, { ...t.logout(0, 0), outcome: t.unknown }, refusal])).toEqual([]);
  expect(brokenBy([...linked, refusal, { ...t.logout(0, 0), outcome: t.unknown }])).toEqual([
    'acknowledged-session-lost',
  ]);
});

test('an ended session that answers breaks a rule, unless authenticate opened it anew', () => {
  const answer = { ...t.read(0, 0), outcome: t.shows(0) };
  expect(brokenBy([...linked, t.logout(0, 0), answer])).toEqual(['acknowledged-removal-undone']);
  const anew = [t.save(1, 0, 0), { ...t.authenticate(1, 0), outcome: t.shows(0) }];
  expect(brokenBy([...linked, t.logout(0, 0), ...anew, answer])).toEqual([]);
});
