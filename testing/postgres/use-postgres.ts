/** Databases on the run's own PostgreSQL, or on the one that `EHR_TEST_DATABASE_URL` names. */
import { afterAll, inject } from 'vitest';
import { createDatabaseOn, dropDatabase } from './databases.ts';

/** For a test file: creates empty databases with unique names. They are removed at the end of the run. */
export function usePostgres(): { createDatabase(): Promise<string> } {
  const created: { url: string; serverUrl: string }[] = [];
  afterAll(async () => {
    // The run's own server is deleted with its databases at the end of the run.
    if (named()) await Promise.all(created.map(({ url, serverUrl }) => dropDatabase(url, serverUrl)));
  });
  return {
    async createDatabase() {
      const serverUrl = await testServerUrl();
      const url = await createDatabaseOn(serverUrl);
      created.push({ url, serverUrl });
      return url;
    },
  };
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
