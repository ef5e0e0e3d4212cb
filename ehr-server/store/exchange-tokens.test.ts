import { expect } from 'vitest';
import { hashToken } from '#protocol/wire/hashes.ts';
import { onEachEngine } from '#testing/on-each-engine.ts';
import {
  attempt,
  auditLines,
  HOUR_MS,
  link,
  MINUTE_MS,
  NOW,
  save,
  saveToken,
  TEN_MINUTES_MS,
  use,
} from '#testing/store-steps.ts';
import type { Store } from './store.ts';

const test = onEachEngine();
const { proves } = test;
const linkOfU = { user: 'u', patientId: 'p', userSign: 'sign-p' };

const refusals = async (store: Store, exchangeTokens: readonly string[]) =>
  Promise.all(exchangeTokens.map((name) => store.refusalOf(attempt(name))));

proves(
  ['DE-exchange-token-already-stored', 'D21a-foreign-session-at-save', 'T-network-8'],
  'an exchange token is stored once, whatever session it is for',
  async (store) => {
    expect(await saveToken(store, 'x', 'u', 't')).toEqual({ id: 'x-r-t' });
    expect(await saveToken(store, 'x', 'v', 't-2')).toEqual({ refused: 'exchange_token_already_stored' });
    await use(store, 'x', 'p');
    // Both reasons apply; the exchange token is reported first.
    expect(await saveToken(store, 'x', 'v', 't')).toEqual({ refused: 'exchange_token_already_stored' });
    expect(await saveToken(store, 'y', 'v', 't')).toEqual({ refused: 'token_already_stored' });
    expect(await store.refusalOf(attempt('y'))).toBe('exchange_token_unknown');
  },
);

test('an exchange token may be for one’s own live session, or an ended', async (store) => {
  await link(store, 'u', 'p', 't');
  expect(await saveToken(store, 'x', 'u', 't')).toEqual({ id: 'x-r-t' });
  expect(await saveToken(store, 'y', 'u', 't', NOW + HOUR_MS)).toEqual({ refused: 'token_already_stored' });
  await store.removeSession(hashToken('t'), 'u', NOW);
  expect(await saveToken(store, 'z', 'v', 't')).toEqual({ id: 'x-r-t' });
});

proves(
  [
    'D13-five-failures',
    'D13-failed-match-keeps-token',
    'DE-exchange-token-exhausted',
    'T-auth-5',
    'D11-exchange-token-boundary',
    'DE-exchange-token-expired',
    'D13-exchange-token-used-up',
    'DE-exchange-token-unknown',
    'T-client-2',
    'T-client-15',
  ],
  'an exchange token can be used for ten minutes, five failures long, and once',
  async (store) => {
    expect(await store.refusalOf(attempt('x'))).toBe('exchange_token_unknown');
    await saveToken(store, 'x', 'u', 't');
    expect(await store.refusalOf(attempt('x', NOW + TEN_MINUTES_MS - 1))).toBeUndefined();
    expect(await store.refusalOf(attempt('x', NOW + TEN_MINUTES_MS))).toBe('exchange_token_expired');
    for (let failure = 1; failure <= 5; failure++)
      expect(await store.countFailure(attempt('x'))).toBeUndefined();
    expect(await store.refusalOf(attempt('x'))).toBe('exchange_token_exhausted');
    expect(await store.countFailure(attempt('x'))).toBe('exchange_token_exhausted');
    expect(await store.refusalOf(attempt('x', NOW + TEN_MINUTES_MS))).toBe('exchange_token_expired');
    expect(await store.countFailure(attempt('x', NOW + TEN_MINUTES_MS))).toBe('exchange_token_expired');
    await saveToken(store, 'y', 'u', 't');
    const uses = await Promise.all(Array.from({ length: 100 }, () => use(store, 'y', 'p')));
    expect(uses.filter((outcome) => 'userSign' in outcome)).toHaveLength(1);
    expect(await store.refusalOf(attempt('y', NOW + TEN_MINUTES_MS))).toBe('exchange_token_unknown');
    expect(await store.countFailure(attempt('y'))).toBe('exchange_token_unknown');
  },
);

test('what cannot be used links nobody and leaves no trace', async (store) => {
  await saveToken(store, 'x', 'u', 't');
  for (let failure = 1; failure <= 5; failure++) await store.countFailure(attempt('x'));
  await saveToken(store, 'y', 'u', 't');
  const before = await auditLines(store);
  expect(await use(store, 'unknown', 'p')).toEqual({ refused: 'exchange_token_unknown' });
  expect(await use(store, 'x', 'p')).toEqual({ refused: 'exchange_token_exhausted' });
  expect(await store.countFailure(attempt('x'))).toBe('exchange_token_exhausted');
  expect(await use(store, 'y', 'p', NOW + TEN_MINUTES_MS)).toEqual({ refused: 'exchange_token_expired' });
  expect(await auditLines(store)).toEqual(before);
  expect([await store.findLink('u'), await store.findSession(hashToken('t'))]).toEqual([
    undefined,
    undefined,
  ]);
});

proves(
  ['D22-relogin-keeps-sign', 'D21a-session-already-live', 'D21a-tokens-independent', 'T-password-4'],
  'a link keeps its signature, and a live session stays as it is',
  async (store) => {
    await link(store, 'u', 'p', 't');
    await saveToken(store, 'x', 'u', 't', NOW + MINUTE_MS);
    expect(await use(store, 'x', 'p', NOW + MINUTE_MS, 'another')).toEqual({ userSign: 'sign-p' });
    expect(await store.findLink('u')).toEqual(linkOfU);
    expect(await store.findSession(hashToken('t'))).toEqual({ link: linkOfU, expiresAt: NOW + HOUR_MS });
    expect(await use(store, 'x', 'p', NOW + MINUTE_MS)).toEqual({ refused: 'exchange_token_unknown' });
  },
);

proves(
  ['DE-patient-already-matched', 'DE-patient-already-linked', 'T-client-4', 'T-client-6'],
  'another patient, or another’s patient, counts as a failure and leaves the token usable',
  async (store) => {
    await link(store, 'u', 'p', 't');
    await saveToken(store, 'x', 'u', 't-2');
    await saveToken(store, 'y', 'v', 't-3');
    for (let failure = 1; failure <= 5; failure++) {
      expect(await use(store, 'x', 'q')).toEqual({ refused: 'patient_already_matched' });
      expect(await store.refusalOf(attempt('y'))).toBeUndefined();
      expect(await use(store, 'y', 'p')).toEqual({ refused: 'patient_already_linked' });
    }
    expect(await use(store, 'x', 'p')).toEqual({ refused: 'exchange_token_exhausted' });
    expect(await use(store, 'y', 'q')).toEqual({ refused: 'exchange_token_exhausted' });
    expect([await store.findLink('v'), await store.findSession(hashToken('t-2'))]).toEqual([
      undefined,
      undefined,
    ]);
  },
);

proves(
  ['D21a-foreign-session-at-authenticate'],
  'a session token that became another’s is refused first, and counts no failure',
  async (store) => {
    await link(store, 'u', 'p', 't-u');
    for (const exchangeToken of ['x', 'y'])
      await saveToken(store, exchangeToken, exchangeToken === 'x' ? 'u' : 'v', 't');
    await link(store, 'w', 'q', 't');
    for (let attempt = 1; attempt <= 6; attempt++) {
      expect(await use(store, 'x', 'q')).toEqual({ refused: 'token_already_stored' });
      expect(await use(store, 'y', 'r')).toEqual({ refused: 'token_already_stored' });
    }
    expect(await store.findLink('v')).toBeUndefined();
    await store.removeSession(hashToken('t'), 'w', NOW);
    expect(await use(store, 'y', 'r')).toEqual({ userSign: 'sign-r' });
  },
);

test('authenticate reopens an ended session, to be recorded once', async (store) => {
  await link(store, 'u', 'p', 't');
  await save(store, 'u', 't', 'sign-p');
  await store.removeSession(hashToken('t'), 'u', NOW);
  expect(await store.findSession(hashToken('t'))).toBeUndefined();
  await saveToken(store, 'x', 'v', 't', NOW + MINUTE_MS);
  expect(await use(store, 'x', 'q', NOW + MINUTE_MS)).toEqual({ userSign: 'sign-q' });
  expect(await store.findSession(hashToken('t'))).toEqual({
    link: { user: 'v', patientId: 'q', userSign: 'sign-q' },
    expiresAt: NOW + MINUTE_MS + HOUR_MS,
  });
  expect(await save(store, 'v', 't', 'sign-q', NOW + MINUTE_MS)).toEqual({ id: 'r-x' });
});

test('pending exchange tokens end with their session, and stay taken', async (store) => {
  await link(store, 'u', 'p', 't');
  await link(store, 'u', 'p', 't-2');
  await link(store, 'v', 'q', 't-v');
  await saveToken(store, 'x', 'u', 't');
  await saveToken(store, 'x-2', 'u', 't-2');
  await saveToken(store, 'x-v', 'v', 't-v');
  await store.removeSession(hashToken('t'), 'u', NOW);
  expect(await refusals(store, ['x', 'x-2', 'x-v'])).toEqual([
    'exchange_token_unknown',
    undefined,
    undefined,
  ]);
  expect(await use(store, 'x', 'p')).toEqual({ refused: 'exchange_token_unknown' });
  expect(await saveToken(store, 'x', 'u', 't-2')).toEqual({ refused: 'exchange_token_already_stored' });
  await saveToken(store, 'x-3', 'u', 'never-stored');
  await store.removeUser(hashToken('t-2'), 'u', NOW);
  expect(await refusals(store, ['x-2', 'x-3', 'x-v'])).toEqual([
    'exchange_token_unknown',
    'exchange_token_unknown',
    undefined,
  ]);
  // A token that is saved after that may link the user again.
  await saveToken(store, 'x-4', 'u', 't-2');
  expect(await use(store, 'x-4', 'p')).toMatchObject({ userSign: 'sign-p' });
});

test('a call that ends no session ends no exchange token', async (store) => {
  await link(store, 'u', 'p', 't');
  await saveToken(store, 'x', 'u', 't');
  expect(await store.removeSession(hashToken('t'), 'v', NOW)).toBe(false);
  expect(await store.removeUser(hashToken('other'), 'u', NOW)).toBe(false);
  expect(await refusals(store, ['x'])).toEqual([undefined]);
});

proves(['D36-five-pending'], 'the newest five exchange tokens of a session work', async (store) => {
  const names = ['x-1', 'x-2', 'x-3', 'x-4', 'x-5', 'x-6'];
  await saveToken(store, 'other', 'u', 't-2');
  await saveToken(store, 'of-another', 'v', 't');
  for (const name of names.slice(0, 5)) await saveToken(store, name, 'u', 't');
  expect(await refusals(store, names.slice(0, 5))).toEqual(Array(5).fill(undefined));
  await saveToken(store, 'x-6', 'u', 't', NOW + MINUTE_MS);
  expect(await refusals(store, [...names, 'other', 'of-another'])).toEqual([
    'exchange_token_unknown',
    ...Array(7).fill(undefined),
  ]);
  expect(await use(store, 'x-1', 'p')).toEqual({ refused: 'exchange_token_unknown' });
  expect(await store.countFailure(attempt('x-1'))).toBe('exchange_token_unknown');
  expect(await use(store, 'x-2', 'p')).toMatchObject({ userSign: 'sign-p' });
});

test.with({ audit: true, failedMatchesPerHour: 1 })(
  'an attempt with an unknown exchange token counts for nobody',
  async (store) => {
    await saveToken(store, 'x', 'u', 't');
    const unknown = attempt('never-stored', NOW, 'phone');
    for (let time = 0; time < 2; time++)
      expect(await store.countFailure(unknown)).toBe('exchange_token_unknown');
    expect(await store.refusalOf(attempt('x', NOW, 'phone'))).toBeUndefined();
    expect(await auditLines(store)).toEqual(['save_exchange_token u - ok']);
  },
);

test.with({ audit: false, failedMatchesPerHour: 2 })(
  'failed matches are counted by each hash, once for the user',
  async (store) => {
    for (const user of ['u', 'v', 'w', 'x']) await saveToken(store, user, user, `t-${user}`);
    const guess = (user: string, ...hashes: string[]) => ({
      ...attempt(user, NOW),
      guessed: hashes.map(hashToken),
    });
    expect(await store.countFailure(guess('u', 'a', 'b', 'c'))).toBeUndefined();
    expect(await store.refusalOf(guess('u', 'a', 'b', 'c'))).toBeUndefined();
    expect(await store.countFailure(guess('v', 'd', 'e', 'c'))).toBeUndefined();
    expect(await store.refusalOf(guess('w', 'f', 'g', 'c'))).toBe('too_many_failed_matches');
    expect(await store.refusalOf(guess('w', 'c'))).toBe('too_many_failed_matches');
    expect(await store.refusalOf(guess('w', 'a', 'e', 'h'))).toBeUndefined();
    expect(await store.countFailure(guess('u', 'i'))).toBeUndefined();
    expect(await store.refusalOf(guess('u', 'j'))).toBe('too_many_failed_matches');
  },
);

test.with({ audit: true, failedMatchesPerHour: 3 })(
  'failed matches of an hour are counted per user and phone',
  async (store) => {
    const limited = 'too_many_failed_matches';
    for (const user of ['u', 'v', 'w'])
      for (const n of [1, 2]) await saveToken(store, `${user}-${n}`, user, `t-${user}`);
    expect(await store.countFailure(attempt('u-1', NOW, 'phone'))).toBeUndefined();
    expect(await store.countFailure(attempt('u-2', NOW + 1, 'other'))).toBeUndefined();
    // The patient is linked to another user. This reveals as much as a failed match, so it counts as one.
    await link(store, 'holder', 'p', 't-holder');
    expect(
      await store.link({
        ...attempt('u-1', NOW + 2, 'phone'),
        patientId: 'p',
        newUserSign: 's',
        recordId: 'r',
      }),
    ).toEqual({ refused: 'patient_already_linked' });
    const refusedNow = async (name: string, phone: string, now = NOW + 3) => [
      await store.refusalOf(attempt(name, now, phone)),
      (await store.link({
        ...attempt(name, now, phone),
        patientId: 'q',
        newUserSign: 's',
        recordId: 'r',
      })) as unknown,
      await store.countFailure(attempt(name, now, phone)),
    ];
    expect(await refusedNow('u-2', 'new')).toEqual([limited, { refused: limited }, limited]);
    // The phone has two failures so far. Another user adds one more.
    expect(await store.countFailure(attempt('v-1', NOW + 3, 'phone'))).toBeUndefined();
    expect(await refusedNow('w-1', 'phone')).toEqual([limited, { refused: limited }, limited]);
    expect(await store.refusalOf(attempt('w-1', NOW + 3, 'new'))).toBeUndefined();
    expect(await store.refusalOf(attempt('w-1', NOW + 3))).toBeUndefined();
    const end = NOW + HOUR_MS;
    await saveToken(store, 'u-3', 'u', 't-u', end - 1);
    expect(await store.refusalOf(attempt('u-3', end - 1, 'new'))).toBe(limited);
    expect(await store.refusalOf(attempt('u-3', end, 'new'))).toBeUndefined();
    expect(await store.purgeFailures(NOW + 3, 2)).toBe(2);
    expect(await store.purgeFailures(NOW + 3, 2)).toBe(1);
    expect(await store.purgeFailures(NOW + 3, 2)).toBe(0);
    expect(await store.countFailure(attempt('u-3', end, 'new'))).toBeUndefined();
  },
);

test.with({ audit: true, failedMatchesPerHour: 1 })(
  'failed matches ahead of a set-back clock count for an hour',
  async (store) => {
    const later = NOW + 3 * HOUR_MS;
    await saveToken(store, 'x', 'u', 't', later);
    await store.countFailure(attempt('x', later, 'phone'));
    await saveToken(store, 'y', 'u', 't-2');
    await saveToken(store, 'z', 'u', 't-3', later - HOUR_MS);
    const refused = (name: string, now: number) => store.refusalOf(attempt(name, now, 'phone'));
    expect(await refused('y', NOW)).toBeUndefined();
    expect(await refused('z', later - HOUR_MS)).toBeUndefined();
    expect(await refused('z', later - HOUR_MS + 1)).toBe('too_many_failed_matches');
  },
);
