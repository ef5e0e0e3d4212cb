import { expect } from 'vitest';
import { DEFAULT_FAILED_MATCHES_PER_HOUR } from '#protocol/limits.ts';
import { hashToken } from '#protocol/wire/hashes.ts';
import { type Database, onEachEngine } from '#testing/on-each-engine.ts';
import { attempt, auditLines, link, NOW, save, saveToken, use } from '#testing/store-steps.ts';
import type { AuditRecord } from './audit.ts';
import type { Store } from './store.ts';

const { databases: test } = onEachEngine();

/** For what a race shows seldom, `npm run test:all` plays more of them. */
const ROUNDS = process.env.TEST_ALL === undefined ? 4 : 8;
const rounds = Array.from({ length: ROUNDS }, (_, round) => round);

async function openTwo({ open, openBeside }: Database): Promise<[Store, Store]> {
  return [await open(), await openBeside()];
}

/** Makes so many calls at once. */
const times = <T>(count: number, call: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => call(index)));

/** Makes the same call on both stores, three times each unless told otherwise, all at once. */
function race<T>(stores: [Store, Store], call: (store: Store, index: number) => Promise<T>, each = 3) {
  return times(2 * each, (index) => call(stores[index % 2] as Store, index));
}

/** Count each outcome. */
function tally(outcomes: readonly unknown[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const outcome of outcomes) {
    const name =
      typeof outcome === 'object' && outcome
        ? 'refused' in outcome
          ? String(outcome.refused)
          : 'ok'
        : String(outcome);
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

test('of several uses of one exchange token exactly one wins', async (engine) => {
  const stores = await openTwo(engine);
  for (const round of rounds) {
    await saveToken(stores[0], `x-${round}`, `u-${round}`, `t-${round}`);
    const outcomes = await race(stores, (store, index) =>
      use(store, `x-${round}`, `p-${round}`, NOW, `sign-${index}`),
    );
    expect(tally(outcomes)).toEqual({ ok: 1, exchange_token_unknown: 5 });
    const link = await stores[1].findLink(`u-${round}`);
    expect(outcomes).toContainEqual({ userSign: link?.userSign });
  }
});

/** Saves of which one wins: what is there before, the save by each store, and how the others are refused. */
const SAVES: {
  [title: string]: {
    before(store: Store, round: number): Promise<unknown>;
    saveBy(store: Store, round: number, index: number): Promise<unknown>;
    refused: string;
  };
} = {
  'of several saves of one session token exactly one wins': {
    before: (store, round) => link(store, 'u', 'p', `first-${round}`),
    saveBy: (store, round) => save(store, 'u', `t-${round}`, 'sign-p'),
    refused: 'token_already_stored',
  },
  'of several records of the session that authenticate stored exactly one wins': {
    before: (store, round) => link(store, 'u', 'p', `t-${round}`),
    saveBy: (store, round) => save(store, 'u', `t-${round}`, 'sign-p'),
    refused: 'token_already_stored',
  },
  'of several saves of one exchange token exactly one wins': {
    before: async () => undefined,
    saveBy: (store, round, index) => saveToken(store, `x-${round}`, `u-${index}`, `t-${index}`),
    refused: 'exchange_token_already_stored',
  },
};

for (const [title, { before, saveBy, refused }] of Object.entries(SAVES))
  test(title, async (engine) => {
    const stores = await openTwo(engine);
    for (const round of rounds) {
      await before(stores[0], round);
      const outcomes = await race(stores, (store, index) => saveBy(store, round, index));
      expect(tally(outcomes)).toEqual({ ok: 1, [refused]: 5 });
    }
  });

test('one user is linked to one patient, whoever else tries at once', async (engine) => {
  const stores = await openTwo(engine);
  for (const round of rounds) {
    await times(6, (n) => saveToken(stores[0], `x-${round}-${n}`, `u-${round}-${n}`, `t-${round}-${n}`));
    await times(6, (n) => saveToken(stores[0], `y-${round}-${n}`, `v-${round}`, `s-${round}-${n}`));
    const users = await race(stores, (store, index) => use(store, `x-${round}-${index}`, `p-${round}`));
    expect(tally(users)).toEqual({ ok: 1, patient_already_linked: 5 });
    const patients = await race(stores, (store, index) =>
      use(store, `y-${round}-${index}`, `q-${round}-${index}`),
    );
    expect(tally(patients)).toEqual({ ok: 1, patient_already_matched: 5 });
  }
});

test('of several users one opens a session token, and the others are not linked', async (engine) => {
  const stores = await openTwo(engine);
  for (const round of rounds) {
    await times(6, (n) => saveToken(stores[0], `x-${round}-${n}`, `u-${round}-${n}`, `t-${round}`));
    const outcomes = await race(stores, (store, index) =>
      use(store, `x-${round}-${index}`, `p-${round}-${index}`),
    );
    expect(tally(outcomes)).toEqual({ ok: 1, token_already_stored: 5 });
    const winner = outcomes.findIndex((outcome) => 'userSign' in outcome);
    for (let n = 0; n < 6; n++)
      expect((await stores[0].findLink(`u-${round}-${n}`)) !== undefined).toBe(n === winner);
    expect(await stores[1].findSession(hashToken(`t-${round}`))).toMatchObject({
      link: { user: `u-${round}-${winner}` },
    });
  }
});

test('failures are counted one by one, and no sixth', async (engine) => {
  const stores = await openTwo(engine);
  for (const round of rounds) {
    await saveToken(stores[0], `x-${round}`, `u-${round}`, 't');
    const outcomes = await race(stores, (store) => store.countFailure(attempt(`x-${round}`)), 4);
    expect(tally(outcomes)).toEqual({ undefined: 5, exchange_token_exhausted: 3 });
  }
});

test('failures of a user and a phone are counted one by one', async (engine) => {
  const stores = await openTwo(engine);
  for (const round of rounds) {
    await times(8, (n) => saveToken(stores[0], `u-${round}-${n}`, `u-${round}`, `t-${round}-${n}`));
    await times(8, (n) => saveToken(stores[0], `p-${round}-${n}`, `v-${round}-${n}`, `s-${round}-${n}`));
    for (const kind of ['u', 'p']) {
      const phone = kind === 'p' ? `phone-${round}` : undefined;
      const outcomes = await times(40, (n) =>
        (stores[n % 2] as Store).countFailure(attempt(`${kind}-${round}-${n % 8}`, NOW, phone)),
      );
      expect(tally(outcomes).undefined).toBe(DEFAULT_FAILED_MATCHES_PER_HOUR);
    }
  }
});

test('a session is ended once, and a user removed once', async (engine) => {
  const stores = await openTwo(engine);
  for (const round of rounds) {
    await link(stores[0], 'u', 'p', `t-${round}`);
    await link(stores[0], 'u', 'p', `s-${round}`);
    const ended = await race(stores, (store) => store.removeSession(hashToken(`t-${round}`), 'u', NOW));
    expect(tally(ended)).toEqual({ true: 1, false: 5 });
    const removed = await race(stores, (store) => store.removeUser(hashToken(`s-${round}`), 'u', NOW));
    expect(tally(removed)).toEqual({ true: 1, false: 5 });
  }
  const lines = await auditLines(stores[0]);
  expect(lines.filter((line) => line === 'remove_auth_info u - ok')).toHaveLength(ROUNDS);
  expect(lines.filter((line) => line === 'remove_authentication u p ok')).toHaveLength(ROUNDS);
});

test('a removed user keeps no live session, whatever is saved meanwhile', async (engine) => {
  const [one, other] = await openTwo(engine);
  const seen = { ok: 0, user_unknown: 0 };
  for (const round of rounds) {
    await link(one, 'u', 'p', `t-${round}`);
    const tokens = Array.from({ length: 6 }, (_, n) => `s-${round}-${n}`);
    const [removed, ...saved] = await Promise.all([
      other.removeUser(hashToken(`t-${round}`), 'u', NOW),
      ...tokens.map((token, n) => save(n % 2 ? one : other, 'u', token, 'sign-p')),
    ]);
    expect(removed).toBe(true);
    for (const token of tokens) expect(await one.findSession(hashToken(token))).toBeUndefined();
    for (const outcome of saved) seen['id' in outcome ? 'ok' : (outcome.refused as 'user_unknown')]++;
  }
  expect(seen.ok + seen.user_unknown).toBe(6 * ROUNDS);
});

test('a user linked again during the removal has both or neither', async (engine) => {
  const [one, other] = await openTwo(engine);
  for (const round of rounds) {
    await link(one, 'u', 'p', `t-${round}`);
    await saveToken(one, `x-${round}`, 'u', `s-${round}`);
    const [removed, linked] = await Promise.all([
      other.removeUser(hashToken(`t-${round}`), 'u', NOW),
      use(one, `x-${round}`, 'p', NOW, 'new'),
    ]);
    // The first call that removed the user has ended the exchange token too.
    expect([removed, 'refused' in linked ? linked.refused : 'exchange_token_unknown']).toEqual([
      true,
      'exchange_token_unknown',
    ]);
    const isLinked = (await one.findLink('u')) !== undefined;
    expect((await one.findSession(hashToken(`s-${round}`))) !== undefined).toBe(isLinked);
    if (isLinked) expect(await other.removeUser(hashToken(`s-${round}`), 'u', NOW)).toBe(true);
  }
});

test('a reader that follows the audit misses no entry while several write', async (engine) => {
  const [one, other] = await openTwo(engine);
  await link(one, 'u', 'p', 't');
  const followed: AuditRecord[] = [];
  let isWriting = true;
  const follow = async () => {
    for (let last = 0; ; ) {
      const wasWriting = isWriting;
      const entries = await one.readAudit({ after: last, limit: 50 });
      followed.push(...entries);
      last = entries.at(-1)?.id ?? last;
      if (entries.length === 0 && !wasWriting) return;
      await new Promise(setImmediate);
    }
  };
  const write = async () => {
    for (let round = 0; round < 20; round++)
      await Promise.all([
        ...[one, other].map((store, n) => save(store, 'u', `s-${round}-${n}`, 'sign-p')),
        ...[one, other].map((store) => store.recordAccess('u', 'p', NOW)),
        ...[one, other].map((store, n) => saveToken(store, `y-${round}-${n}`, 'v', `v-${round}-${n}`)),
      ]);
    isWriting = false;
  };
  await Promise.all([follow(), write()]);
  expect(followed).toEqual(await other.readAudit({ after: 0, limit: 1_000 }));
  expect(followed).toHaveLength(2 + 20 * 6);
});
