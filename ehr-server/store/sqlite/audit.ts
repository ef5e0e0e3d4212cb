/**
 * The audit record in SQLite. Rows can be added and read. Only rows older than the horizon can be deleted.
 */
import type { Database } from 'better-sqlite3';
import {
  type AuditEntry,
  type AuditQuery,
  type AuditRange,
  type AuditRecord,
  auditConditions,
} from '../audit.ts';

export type SqliteAudit = ReturnType<typeof sqliteAudit>;

/** Prepare the statements. With `on: false` nothing is added. */
export function sqliteAudit(db: Database, on: boolean) {
  const add = db.prepare<[number, string, string, string | null, string]>(
    'INSERT INTO audit (at, action, user_id, patient_id, outcome) VALUES (?, ?, ?, ?, ?)',
  );
  const range = db.prepare<[], AuditRange>(
    'SELECT coalesce(min(id), 0) AS first, coalesce(max(id), 0) AS last FROM audit',
  );
  const setHorizon = db.prepare<[number]>('UPDATE audit_horizon SET before = max(before, ?)');
  const purge = db.prepare<[number, number]>(
    'DELETE FROM audit WHERE at < ? AND id IN (SELECT id FROM audit ORDER BY id LIMIT ?)',
  );
  return {
    /** Add an entry. Call it inside the transaction of the recorded change. */
    add({ at, action, user, patientId, outcome }: AuditEntry): void {
      if (on) add.run(at, action, user, patientId, outcome);
    },
    /** Read entries in the order of writing. */
    read(query: AuditQuery): AuditRecord[] {
      const given = auditConditions.filter(([member]) => query[member] !== undefined);
      const where = given.map(([, comparison]) => `${comparison} ?`).join(' AND ');
      const values = given.map(([member]) => query[member]);
      return db
        .prepare<unknown[], AuditRecord>(
          `SELECT id, at, action, user_id AS user, patient_id AS patientId, outcome FROM audit WHERE ${where} ORDER BY id LIMIT ?`,
        )
        .all(...values, query.limit);
    },
    range: () => range.get() as AuditRange,
    /** Delete those of the `limit` oldest entries that are older than `before`, inside a transaction. */
    purge(before: number, limit: number): number {
      setHorizon.run(before);
      return purge.run(before, limit).changes;
    },
  };
}
