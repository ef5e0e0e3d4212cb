/** Databases on a real PostgreSQL for vitest tests: the run's own server, or the one that `EHR_TEST_DATABASE_URL` names. */
import { afterAll, inject } from 'vitest';
import { createDatabaseOn, dropDatabase } from './postgres/databases.ts';

/** For a test file: creates databases, each empty and with a name of its own; they do not outlive the run. */
export function usePostgres(): { createDatabase(): Promise<string> } {
  const created: { url: string; serverUrl: string }[] = [];
  afterAll(async () => {
    // The run's own server ends with the run, and its databases with it.
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
