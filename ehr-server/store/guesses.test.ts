import { expect } from 'vitest';
import { hashToken } from '#protocol/wire/hashes/secrets.ts';
import { onEachEngine } from '#testing/on-each-engine.ts';
import { attempt, auditLines, HOUR_MS, link, NOW, saveToken } from '#testing/store-steps.ts';

const test = onEachEngine();

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
