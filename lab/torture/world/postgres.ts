/**
 * The PostgreSQL engine: our own server, reached through a recording proxy that can break its connections.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startPostgres } from '#testing/postgres/postgres.ts';
import { startRecordingProxy } from '#testing/recording/recording-proxy.ts';
import type { StoredRows } from '../check/rows.ts';
import { writePatients } from './patients.ts';
import type { TortureWorld } from './world.ts';

const MAX_END_OF_BACKEND_MS = 30_000;

export async function postgresWorld(patients: number): Promise<TortureWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'torture-'));
  const mis = join(folder, 'patients.sqlite');
  writePatients(mis, patients);
  const postgres = await startPostgres({ tcp: true, settings: { max_connections: '200' } });
  const url = await postgres.createDatabase();
  const wire = await startRecordingProxy({ keeps: false });
  wire.retarget(url);
  const proxied = new URL(url);
  proxied.host = new URL(wire.url).host;
  return {
    env: { EHR_DATABASE: proxied.href, EHR_MIS_DATABASE: mis },
    server: {
      restart: (kind) => postgres.restart(kind),
      cutBackends: (rng) =>
        withClient(url, async (client) => {
          const { rows } = await client.query<{ pid: number }>(
            'SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
          );
          const chosen = rows.filter(() => rng.chance(0.6)).map(({ pid }) => pid);
          // Waits for their ends: a fault is over when the server can notice no more of it.
          const all = 'SELECT pg_terminate_backend(pid, $2) FROM unnest($1::int[]) AS pid';
          await client.query(all, [chosen, MAX_END_OF_BACKEND_MS]);
        }),
      cutWire() {
        wire.cut(true);
        wire.cut(false);
      },
    },
    read: () => readPostgres(url),
    async close() {
      await wire.stop();
      await postgres.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Reads all rows that an EHR server has stored. */
export function readPostgres(url: string): Promise<StoredRows> {
  return withClient(url, readRows);
}

async function readRows(client: pg.Client): Promise<StoredRows> {
  const all = async (sql: string) => (await client.query(sql)).rows;
  return {
    sessions: await all(
      "SELECT encode(token_hash, 'hex') AS hash, user_id AS user, recorded, ended FROM sessions",
    ),
    exchanges: await all(
      `SELECT encode(hash, 'hex') AS hash, user_id AS user, encode(session_hash, 'hex') AS "sessionHash", failures, used
         FROM exchange_tokens`,
    ),
    links: await all('SELECT user_id AS user, patient_id AS patient, user_sign AS sign FROM links'),
    audit: await all('SELECT action, user_id AS user, outcome FROM audit'),
  };
}
