import { expect } from 'vitest';
import { hashToken } from '#protocol/wire/hashes.ts';
import { onEachEngine } from '#testing/on-each-engine.ts';
import {
  attempt,
  auditLines,
  link,
  MINUTE_MS,
  NOW,
  save,
  saveToken,
  session,
  TEN_MINUTES_MS,
  use,
} from '#testing/store-steps.ts';
import type { Store } from './store.ts';

const test = onEachEngine();
const { proves } = test;

/** Every change once with success and once refused. */
async function changes(store: Store): Promise<void> {
  await saveToken(store, 'x', 'u', 't');
  await saveToken(store, 'x', 'u', 't');
  await store.countFailure(attempt('x'));
  await use(store, 'x', 'p');
  await saveToken(store, 'y', 'v', 't-v');
  await use(store, 'y', 'p');
  await saveToken(store, 'z', 'w', 't');
  await saveToken(store, 'w', 'u', 't-u');
  await use(store, 'w', 'q');
  await save(store, 'u', 't', 'sign-p');
  await save(store, 'u', 't', 'sign-p');
  await save(store, 'nobody', 't-3', 'sign-p');
  await save(store, 'u', 't-2', 'sign-p');
  await store.recordAccess('u', 'p', NOW);
  await store.removeSession(hashToken('t-2'), 'u', NOW);
  await store.removeSession(hashToken('t-2'), 'u', NOW);
  await store.removeUser(hashToken('t-2'), 'u', NOW);
  await store.removeUser(hashToken('t'), 'u', NOW);
}

proves(['T-auth-6'], 'every change is on record with its outcome, and so is every access', async (store) => {
  await changes(store);
  expect(await auditLines(store)).toEqual([
    ...['save_exchange_token u - ok', 'save_exchange_token u - exchange_token_already_stored'],
    ...['authenticate u - patient_not_matched', 'authenticate u p ok', 'save_exchange_token v - ok'],
    ...['authenticate v p patient_already_linked', 'save_exchange_token w - token_already_stored'],
    ...['save_exchange_token u - ok', 'authenticate u q patient_already_matched', 'save_auth_info u p ok'],
    ...['save_auth_info u p token_already_stored', 'save_auth_info u p ok', 'get_patient u p ok'],
    ...['remove_auth_info u - ok', 'remove_authentication u p ok'],
  ]);
});

test('an attempt on a session token that became another’s is on record', async (store) => {
  await saveToken(store, 'x', 'u', 't');
  await link(store, 'v', 'q', 't');
  await use(store, 'x', 'p');
  expect((await auditLines(store)).at(-1)).toBe('authenticate u p token_already_stored');
});

test.with({ audit: false })('without an audit the same is done and nothing is on record', async (store) => {
  await changes(store);
  expect(await store.findLink('u')).toBeUndefined();
  expect(await store.refusalOf(attempt('y'))).toBeUndefined();
  expect(await auditLines(store)).toEqual([]);
});

test('entries are read in the order of writing, by what is asked for', async (store) => {
  for (const at of [1, 2, 3, 4]) await store.recordAccess(`u-${at % 2}`, `p-${at}`, NOW + at);
  await link(store, 'u-1', 'p', 't', NOW + 5);
  const read = async (query: object) => {
    const entries = await store.readAudit({ after: 0, limit: 100, ...query });
    return entries.map(({ at }) => at - NOW);
  };
  const all = await store.readAudit({ after: 0, limit: 100 });
  expect(all[0]).toEqual({
    id: all[0]?.id,
    at: NOW + 1,
    action: 'patient.get_patient',
    user: 'u-1',
    patientId: 'p-1',
    outcome: 'ok',
  });
  expect(all.map(({ id }) => id)).toEqual(all.map(({ id }) => id).sort((a, b) => a - b));
  expect(await read({})).toEqual([1, 2, 3, 4, 5, 5]);
  expect(await read({ limit: 2 })).toEqual([1, 2]);
  expect(await read({ after: all[1]?.id })).toEqual([3, 4, 5, 5]);
  expect(await read({ before: all[2]?.id })).toEqual([1, 2]);
  expect(await read({ user: 'u-0' })).toEqual([2, 4]);
  expect(await read({ patientId: 'p-3' })).toEqual([3]);
  expect(await read({ action: 'embedded_storage.authenticate' })).toEqual([5]);
  expect(await read({ since: NOW + 2, until: NOW + 4 })).toEqual([2, 3]);
  expect(await read({ user: 'u-1', since: NOW + 2, limit: 2 })).toEqual([3, 5]);
  expect(await store.auditRange()).toEqual({ first: all[0]?.id, last: all.at(-1)?.id });
});

test.databases('entries are never changed, nor deleted before their retention', async ({ open, exec }) => {
  const store = await open();
  for (const at of [1, 2, 3, 4]) await store.recordAccess('u', 'p', at);
  await expect(exec("UPDATE audit SET outcome = 'ok'")).rejects.toThrow('audit entries are never changed');
  await expect(exec('DELETE FROM audit')).rejects.toThrow(
    'audit entries are kept until their retention is over',
  );
  expect(await store.purgeAudit(4, 2)).toBe(2);
  // The horizon never goes back.
  expect(await store.purgeAudit(1, 2)).toBe(0);
  await expect(exec('DELETE FROM audit WHERE at = 4')).rejects.toThrow('audit entries are kept');
  await exec('DELETE FROM audit WHERE at = 3');
});

test('the entries older than their retention are deleted in batches, the oldest first', async (store) => {
  expect(await store.auditRange()).toEqual({ first: 0, last: 0 });
  for (const at of [1, 2, 3, 4]) await store.recordAccess('u', 'p', at);
  expect(await store.purgeAudit(4, 2)).toBe(2);
  expect(await store.purgeAudit(4, 2)).toBe(1);
  expect(await store.purgeAudit(4, 2)).toBe(0);
  const left = await store.readAudit({ after: 0, limit: 10 });
  expect(left.map(({ at }) => at)).toEqual([4]);
  await store.recordAccess('u', 'p', 5);
  const [, newest] = await store.readAudit({ after: 0, limit: 10 });
  expect(newest?.id).toBeGreaterThan(left[0]?.id as number);
});

test('what ended before a time is purged by batches, nothing else', async (store) => {
  await link(store, 'u', 'p', 't');
  for (const token of ['a', 'b', 'c', 'd']) {
    const lifetime = token === 'd' ? 2 * TEN_MINUTES_MS : MINUTE_MS;
    await store.saveSession(session('u', token, { lifetime }), 'sign-p', NOW, { mayRecord: true });
  }
  await store.removeSession(hashToken('t'), 'u', NOW + 2);
  // The exchange token expires after ten minutes. Session t ended at once; a, b and c expired after one
  // minute.
  expect(await store.purge(NOW + 2, 10)).toBe(0);
  expect(await store.purge(NOW + TEN_MINUTES_MS, 3)).toBe(3);
  expect(await store.purge(NOW + TEN_MINUTES_MS, 3)).toBe(1);
  expect(await store.purge(NOW + TEN_MINUTES_MS, 3)).toBe(0);
  expect(await store.purge(NOW + TEN_MINUTES_MS + 1, 3)).toBe(1);
  expect(await store.findSession(hashToken('d'))).toMatchObject({ link: { user: 'u' } });
  expect(await store.findLink('u')).toMatchObject({ patientId: 'p' });
  // A token that was purged may be used again.
  expect(await save(store, 'u', 'a', 'sign-p')).toEqual({ id: 'r-a' });
});

test.databases('calls of one turn are committed together, each with its own outcome', async ({ open }) => {
  const groups: number[] = [];
  const store = await open({ audit: true, onCommit: (size) => groups.push(size) });
  await link(store, 'u', 'p', 't');
  groups.splice(0);
  const saved = await Promise.all(
    ['a', 'b', 'b', 'c'].map((token) => save(store, token === 'c' ? 'v' : 'u', token, 'sign-p')),
  );
  expect([saved[0], saved[3]]).toEqual([{ id: 'r-a' }, { refused: 'user_unknown' }]);
  // Of two simultaneous saves of one token one is stored. Either may win.
  expect(saved.slice(1, 3)).toContainEqual({ id: 'r-b' });
  expect(saved.slice(1, 3)).toContainEqual({ refused: 'token_already_stored' });
  expect(Math.max(...groups)).toBeGreaterThanOrEqual(3);
});

test.databases('a call that cannot be executed fails alone', async ({ open }) => {
  const store = await open();
  await link(store, 'u', 'p', 't');
  const tokens = Array.from({ length: 20 }, (_, index) => `t-${index}`);
  const outcomes = await Promise.allSettled(
    tokens.map((token, index) => {
      // Half a millisecond does not fit into a column of whole numbers.
      const saved = session('u', token, index === 7 ? { lifetime: 0.5 } : {});
      return store.saveSession(saved, 'sign-p', NOW, { mayRecord: true });
    }),
  );
  expect(outcomes.map(({ status }) => status)).toEqual(
    tokens.map((_, index) => (index === 7 ? 'rejected' : 'fulfilled')),
  );
  const found = await Promise.all(tokens.map((token) => store.findSession(hashToken(token))));
  expect(found.map((each) => each !== undefined)).toEqual(tokens.map((_, index) => index !== 7));
  expect((await auditLines(store)).filter((line) => line.startsWith('save_auth_info'))).toHaveLength(19);
});

test('closing lets what waits to be written finish', async (store) => {
  await link(store, 'u', 'p', 't');
  await saveToken(store, 'x', 'v', 't-v');
  const underWay = Promise.all([
    ...['a', 'b'].map((token) => save(store, 'u', token, 'sign-p')),
    store.countFailure(attempt('x')),
    store.recordAccess('u', 'p', NOW),
  ]);
  await store.close();
  expect(await underWay).toEqual([{ id: 'r-a' }, { id: 'r-b' }, undefined, undefined]);
});

test('closing lets many calls finish that wait for a connection', async (store) => {
  const many = Array.from({ length: 25 }, (_, n) => n);
  await Promise.all(many.map((n) => saveToken(store, `x-${n}`, `v-${n}`, `t-${n}`)));
  const underWay = Promise.all(many.map((n) => use(store, `x-${n}`, `q-${n}`)));
  await store.close();
  expect(await underWay).toEqual(many.map((n) => ({ userSign: `sign-q-${n}` })));
});
