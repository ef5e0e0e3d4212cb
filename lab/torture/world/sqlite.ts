/** The SQLite engine: one file, which outlives the process that has it open. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqlite } from '#service/sqlite.ts';
import type { StoredRows } from '../check/rows.ts';
import { writePatients } from './patients.ts';
import type { TortureWorld } from './world.ts';

export function sqliteWorld(patients: number): TortureWorld {
  const folder = mkdtempSync(join(tmpdir(), 'torture-'));
  const file = join(folder, 'ehr.sqlite');
  const mis = join(folder, 'patients.sqlite');
  writePatients(mis, patients);
  return {
    env: { EHR_DATABASE: file, EHR_MIS_DATABASE: mis },
    read: () => Promise.resolve(readRows(file)),
    close: () => Promise.resolve(rmSync(folder, { recursive: true, force: true })),
  };
}

export function readRows(file: string): StoredRows {
  const db = openSqlite(file, { readonly: true });
  try {
    const damage = db.pragma('integrity_check', { simple: true });
    if (damage !== 'ok') throw new Error(`The database is damaged: ${damage}`);
    const all = (sql: string) => db.prepare<[], Record<string, unknown>>(sql).all();
    return {
      sessions: all(
        "SELECT lower(hex(token_hash)) AS hash, ifnull(user, '') AS user, recorded, user IS NULL AS ended FROM sessions LEFT JOIN links ON id = link",
      ).map((row) => ({
        ...(row as StoredRows['sessions'][number]),
        recorded: row.recorded === 1,
        ended: row.ended === 1,
      })),
      exchanges: all(
        'SELECT lower(hex(hash)) AS hash, user, lower(hex(session_hash)) AS sessionHash, failures, used FROM exchange_tokens',
      ).map((row) => ({ ...(row as StoredRows['exchanges'][number]), used: row.used === 1 })),
      links: all('SELECT user, patient_id AS patient, user_sign AS sign FROM links') as StoredRows['links'],
      audit: all('SELECT action, user_id AS user, outcome FROM audit') as StoredRows['audit'],
    };
  } finally {
    db.close();
  }
}
