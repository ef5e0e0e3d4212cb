import { expect, onTestFinished, test } from 'vitest';
import { runOn } from '#testing/postgres/databases.ts';
import { link, NOW, saveAnnounced, session, use } from '#testing/store-steps.ts';
import { usePostgres } from '#testing/use-postgres.ts';
import { openStore } from '../open-store.ts';

const { createDatabase } = usePostgres();

async function opened() {
  const url = await createDatabase();
  const store = await openStore({ database: url, audit: true });
  onTestFinished(() => store.close());
  return { url, store };
}

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
  await link(store, 'u', 'p', 't');
  await store.recordAccess('u', 'p', NOW);
  expect(await runOn(url, 'SELECT action, mode FROM waits')).toEqual([
    { action: 'embedded_storage.save_exchange_token', mode: 'on' },
    { action: 'embedded_storage.authenticate', mode: 'on' },
    { action: 'patient.get_patient', mode: 'off' },
  ]);
});
