import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { hashToken } from '#protocol/wire/hashes.ts';
import { runOn } from '#testing/postgres/databases.ts';
import { useStore } from '#testing/postgres/use-postgres.ts';
import {
  attempt,
  auditLines,
  link,
  NOW,
  save,
  saveAnnounced,
  saveToken,
  session,
  use,
} from '#testing/store-steps.ts';
import { openStore } from '../open-store.ts';
import type { Store } from '../store.ts';
import type { Query } from './connection.ts';
import { link as linkIn } from './links.ts';
import { ADVISORY } from './schema.ts';

const onPostgres = useStore();

async function open(database: string, more: object = {}): Promise<Store> {
  const store = await openStore({ database, audit: true, ...more });
  onTestFinished(() => store.close());
  return store;
}

async function opened() {
  const { url, open } = await onPostgres();
  return { url, store: await open() };
}

/** Begins a transaction on a connection of its own. */
async function beginning(url: string, sql: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query('BEGIN');
  await client.query(sql);
  return client;
}

/** A connection that keeps its locks until `rollBack` is called. */
async function holding(url: string, sql: string): Promise<{ rollBack(): Promise<void> }> {
  const client = await beginning(url, sql);
  return { rollBack: async () => void (await client.query('ROLLBACK')) };
}

/** Waits until so many of the program's connections wait for a lock. */
async function untilWaiting(url: string, count: number): Promise<void> {
  const sql = `SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  const waiting = async () => (await runOn(url, sql))[0]?.n;
  await expect.poll(waiting, { timeout: 5_000, interval: 10 }).toBe(count);
}

test('a locked row fails its own call in time, and no neighbour', async () => {
  const { url } = await onPostgres();
  const store = await open(url, { databaseTimeout: 600 });
  for (const user of ['u', 'v', 'w']) await link(store, user, `p-${user}`, `t-${user}`);
  const { rollBack } = await holding(url, `SELECT FROM links WHERE user_id = 'v' FOR UPDATE`);
  const saveFor = (user: string) => save(store, user, `s-${user}`, `sign-p-${user}`);
  const outcomes = await Promise.allSettled(['u', 'v', 'w'].map(saveFor));
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect((outcomes[1] as PromiseRejectedResult).reason).toMatchObject({ code: '55P03' });
  await rollBack();
  expect(await saveFor('v')).toEqual({ id: 'r-s-v' });
});

test('a save that waits for a removal finds the user gone', async () => {
  const { url, store } = await opened();
  await link(store, 'u', 'p', 't');
  const remover = await beginning(url, "DELETE FROM links WHERE user_id = 'u'");
  const saved = save(store, 'u', 's', 'sign-p');
  await untilWaiting(url, 1);
  await remover.query('COMMIT');
  expect(await saved).toEqual({ refused: 'user_unknown' });
  expect(await store.findSession(hashToken('s'))).toBeUndefined();
});

test('a use of an exchange token waits for another one, and finds it used', async () => {
  const { url, store } = await opened();
  await link(store, 'u', 'p', 'first');
  await saveToken(store, 'x', 'u', 't');
  const { rollBack } = await holding(url, 'SELECT FROM exchange_tokens FOR UPDATE');
  const uses = [use(store, 'x', 'p'), use(store, 'x', 'p')];
  await untilWaiting(url, 2);
  await rollBack();
  expect((await Promise.all(uses)).filter((outcome) => 'refused' in outcome)).toEqual([
    { refused: 'exchange_token_unknown' },
  ]);
});

test('a removal waits for a save and ends what it saved', async () => {
  const { url, store } = await opened();
  await link(store, 'u', 'p', 't');
  // The save of another process, blocked before its commit by a session that a third one is storing.
  const { rollBack } = await holding(
    url,
    `INSERT INTO sessions VALUES ('\\x${Buffer.from(hashToken('s')).toString('hex')}', 'r', 'x', 0, 0, null, true)`,
  );
  const saved = save(store, 'u', 's', 'sign-p');
  await untilWaiting(url, 1);
  const removed = store.removeUser(hashToken('t'), 'u', NOW);
  await untilWaiting(url, 2);
  await rollBack();
  expect([await saved, await removed]).toEqual([{ id: 'r-s' }, true]);
  expect(await store.findSession(hashToken('s'))).toBeUndefined();
});

test('a reader of the audit waits for entries that are being written', async () => {
  const { url, store } = await opened();
  const { rollBack } = await holding(
    url,
    `SELECT pg_advisory_xact_lock_shared(${ADVISORY.audit});
    INSERT INTO audit (at, action, user_id, outcome) VALUES (1, 'patient.get_patient', 'first', 'ok')`,
  );
  await store.recordAccess('second', 'p', NOW);
  const reading = store.readAudit({ after: 0, limit: 10 });
  await untilWaiting(url, 1);
  await rollBack();
  expect((await reading).map(({ user }) => user)).toEqual(['second']);
});

test('every way of adding an entry holds up the readers', async () => {
  const { url, store } = await opened();
  for (const user of ['a', 'b', 'c', 'd']) await link(store, user, `p-${user}`, `t-${user}`);
  await saveToken(store, 'x', 'e', 't-e');
  await saveToken(store, 'y', 'f', 't-f');
  const writes: (() => Promise<unknown>)[] = [
    () => save(store, 'a', 's-a', 'sign-p-a'),
    () => saveToken(store, 'z', 'g', 't-g'),
    () => use(store, 'x', 'p-e'),
    () => store.countFailure(attempt('y')),
    () => store.removeSession(hashToken('t-b'), 'b', NOW),
    () => store.removeUser(hashToken('t-c'), 'c', NOW),
    async () => store.recordAccess('d', 'p-d', NOW),
  ];
  for (const write of writes) {
    const { rollBack } = await holding(url, `SELECT pg_advisory_xact_lock(${ADVISORY.audit})`);
    const written = write();
    await untilWaiting(url, 1);
    await rollBack();
    await written;
  }
});

test('one instance purges at a time, and the others go on', async () => {
  const { url, store } = await opened();
  await link(store, 'u', 'p', 't');
  const { rollBack } = await holding(
    url,
    `SELECT pg_advisory_xact_lock(${ADVISORY.purge}), pg_advisory_xact_lock(${ADVISORY.purgeAudit})`,
  );
  const later = NOW + 10 * 86_400_000;
  expect([await store.purge(later, 10), await store.purgeAudit(later, 10)]).toEqual([0, 0]);
  await rollBack();
  // The link left a session and a used exchange token, and an entry of either call.
  expect([await store.purge(later, 10), await store.purgeAudit(later, 10)]).toEqual([2, 2]);
});

test('connections that the database ended are replaced', async () => {
  const { url, store } = await opened();
  await link(store, 'u', 'p', 't');
  await store.recordAccess('u', 'p', NOW);
  await runOn(
    url,
    `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'ehr-server'`,
  );
  // Idle connections are dropped when the news of their end arrives.
  const patientOf = async (user: string) => (await store.findLink(user))?.patientId;
  await expect.poll(() => patientOf('u').catch(() => undefined)).toBe('p');
  await store.recordAccess('u', 'p', NOW);
  expect((await auditLines(store)).slice(-2)).toEqual(['get_patient u p ok', 'get_patient u p ok']);
});

test('a database that takes no writes is not ready, and can still be read', async () => {
  const { url, store } = await opened();
  await link(store, 'u', 'p', 't');
  await store.check();
  const readOnly = new URL(url);
  const options = `${readOnly.searchParams.get('options')} -c default_transaction_read_only=on`;
  readOnly.searchParams.set('options', options);
  const later = await open(readOnly.href);
  await expect(later.check()).rejects.toThrow('The database takes no writes');
  await expect(later.removeSession(hashToken('t'), 'u', NOW)).rejects.toMatchObject({ code: '25006' });
  expect(await auditLines(later)).toEqual(await auditLines(store));
});

test('only the token, record id and times of an ended session remain', async () => {
  const { url, store } = await opened();
  await link(store, 'u', 'p', 'kept');
  for (const token of ['logged-out', 'disconnected']) {
    const saved = session('u', token, { created: '2026-01-15', lifetime: 90 });
    await store.saveSession(saved, 'sign-p', NOW, { mayRecord: true });
  }
  await store.removeSession(hashToken('logged-out'), 'u', NOW + 7);
  await store.removeUser(hashToken('kept'), 'u', NOW + 8);
  const rows = await runOn(url, 'SELECT * FROM sessions WHERE recorded ORDER BY expires_at');
  const left = { user_id: '', created: null, recorded: true, ended: true };
  expect(rows).toMatchObject([
    { ...left, token_hash: Buffer.from(hashToken('logged-out')), record_id: 'r-logged-out' },
    { ...left, token_hash: Buffer.from(hashToken('disconnected')), record_id: 'r-disconnected' },
  ]);
  expect(rows.map(({ expires_at: at }) => Number(at))).toEqual([NOW + 7, NOW + 8]);
});

test('an announced time of creation goes to the session it opens', async () => {
  const { url, store } = await opened();
  await saveAnnounced(store, 'x', session('u', 't', { created: '2026-01-15' }));
  await use(store, 'x', 'p');
  expect(await runOn(url, 'SELECT user_id, created FROM sessions')).toEqual([
    { user_id: 'u', created: '2026-01-15' },
  ]);
});

test('an access does not wait for the disk, and a change does', async () => {
  const { url, store } = await opened();
  await runOn(
    url,
    `CREATE TABLE waits (action text, mode text);
    CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO waits VALUES (NEW.action, current_setting('synchronous_commit'));
      RETURN NEW;
    END $$;
    CREATE TRIGGER note BEFORE INSERT ON audit FOR EACH ROW EXECUTE FUNCTION note()`,
  );
  onTestFinished(async () => void (await runOn(url, 'DROP FUNCTION note CASCADE')));
  await link(store, 'u', 'p', 't');
  await store.recordAccess('u', 'p', NOW);
  expect(await runOn(url, 'SELECT action, mode FROM waits')).toEqual([
    { action: 'embedded_storage.save_exchange_token', mode: 'on' },
    { action: 'embedded_storage.authenticate', mode: 'on' },
    { action: 'patient.get_patient', mode: 'off' },
  ]);
});

test('a call that loses both patient and token is refused for the token', async () => {
  const { url, store } = await opened();
  await saveToken(store, 'x-first', 'u-first', 't-same');
  await saveToken(store, 'x-second', 'u-second', 't-same');
  const client = await beginning(url, 'SELECT 1');
  /**
   * The first user is linked after the second call has found the session token free, and before it looks up
   * the patient's link.
   */
  let first: Awaited<ReturnType<typeof use>> | undefined;
  const query = (async ({ name, text }, values) => {
    if (name === 'link_of_patient') first ??= await use(store, 'x-first', 'p-1');
    return (await client.query(text, [...values])).rows;
  }) as Query;
  const request = { ...attempt('x-second'), patientId: 'p-1', newUserSign: 's', recordId: 'r' };
  expect(await linkIn(query, request, { isAudited: true, perHour: 20 })).toEqual({
    refused: 'token_already_stored',
  });
  await client.query('COMMIT');
  expect(first).toMatchObject({ userSign: expect.any(String) });
});
