/** Creates and drops databases by name on a PostgreSQL for tests. */
import pg from 'pg';
import { randomToken, systemRandom } from '#protocol/time/random.ts';

/** Creates an empty database with a unique name on the server of `url`. Returns its URL. */
export async function createDatabaseOn(url: string, name = uniqueName()): Promise<string> {
  await runOn(url, `CREATE DATABASE ${pg.escapeIdentifier(name)}`);
  const created = new URL(url);
  created.pathname = `/${name}`;
  return created.href;
}

export async function dropDatabase(url: string, serverUrl: string): Promise<void> {
  await runOn(
    serverUrl,
    `DROP DATABASE IF EXISTS ${pg.escapeIdentifier(new URL(url).pathname.slice(1))} WITH (FORCE)`,
  );
}

export async function runOn(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url, application_name: 'tests' });
  await client.connect();
  try {
    const result = await client.query(sql);
    return (Array.isArray(result) ? result.at(-1) : result).rows;
  } finally {
    await client.end();
  }
}

function uniqueName(): string {
  return `ehr_test_${randomToken(systemRandom, 9).replaceAll('-', '_').toLowerCase()}`;
}
