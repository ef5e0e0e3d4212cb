import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { hashToken } from '#protocol/wire/hashes/secrets.ts';
import { usePostgres } from '#testing/postgres/use-postgres.ts';
import { NOW, saveToken, use } from '#testing/store-steps.ts';
import { openStore } from '../open-store.ts';
import type { Query } from './connection.ts';
import { link } from './links.ts';

const { createDatabase } = usePostgres();

test('a call that loses both patient and token is refused for the token', async () => {
  const url = await createDatabase();
  const store = await openStore({ database: url, audit: true });
  onTestFinished(() => store.close());
  await saveToken(store, 'x-first', 'u-first', 't-same');
  await saveToken(store, 'x-second', 'u-second', 't-same');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  /**
   * The first user is linked after the second call has found the session token free, and before it looks up
   * the patient's link.
   */
  let first: Awaited<ReturnType<typeof use>> | undefined;
  const query = (async ({ name, text }, values) => {
    if (name === 'link_of_patient') first ??= await use(store, 'x-first', 'p-1');
    return (await client.query(text, [...values])).rows;
  }) as Query;
  const request = {
    exchangeToken: hashToken('x-second'),
    guessed: [],
    patientId: 'p-1',
    newUserSign: 's',
    recordId: 'r',
    now: NOW,
  };
  await client.query('BEGIN');
  expect(await link(query, request, { isAudited: true, perHour: 20 })).toEqual({
    refused: 'token_already_stored',
  });
  await client.query('COMMIT');
  expect(first).toMatchObject({ userSign: expect.any(String) });
});
