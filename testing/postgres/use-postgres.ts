/** Databases on the run's own PostgreSQL, or on the one that `EHR_TEST_DATABASE_URL` names. */
import { afterAll, inject } from 'vitest';
import { createDatabaseOn, dropDatabase, runOn } from './databases.ts';

type TestPostgres = {
  /** Creates an empty database with a unique name. It is removed at the end of the run. */
  createDatabase(): Promise<string>;
  /** The address of the one database of this file, for a test that leaves it as it is. */
  database(): Promise<string>;
  /**
   * Creates a schema in the database of this file, and returns the address under which it holds all tables:
   * to create a database takes four times as long.
   */
  createSchema(): Promise<string>;
};

/** Call it once in a test file. */
export function usePostgres(): TestPostgres {
  const created: { url: string; serverUrl: string }[] = [];
  afterAll(async () => {
    // The run's own server is deleted with its databases at the end of the run.
    if (named()) await Promise.all(created.map(({ url, serverUrl }) => dropDatabase(url, serverUrl)));
  });
  let shared: Promise<string> | undefined;
  let schemas = 0;
  const createDatabase = async () => {
    const serverUrl = await testServerUrl();
    const url = await createDatabaseOn(serverUrl);
    created.push({ url, serverUrl });
    return url;
  };
  const database = () => {
    shared ??= createDatabase();
    return shared;
  };
  const createSchema = async () => {
    const url = new URL(await database());
    const name = `test_${++schemas}`;
    await runOn(url.href, `CREATE SCHEMA ${name}`);
    url.searchParams.set('options', `-c search_path=${name}`);
    return url.href;
  };
  return { createDatabase, database, createSchema };
}

const named = () => process.env.EHR_TEST_DATABASE_URL;

async function testServerUrl(): Promise<string> {
  const url = named();
  if (url) return url;
  const response = await fetch(inject('postgresBroker'));
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text;
}
