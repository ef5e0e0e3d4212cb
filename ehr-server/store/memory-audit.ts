/** The audit record in memory. */
import type { AuditEntry, AuditQuery, AuditRecord } from './audit.ts';

export type MemoryAudit = {
  add(entry: AuditEntry): void;
  /** Read entries in the order of writing. */
  read(query: AuditQuery): AuditRecord[];
  /** Delete those of the `limit` oldest entries that are older than `before`. Returns their number. */
  purge(before: number, limit: number): number;
};

/** Open an empty record. With `on: false` nothing is added. */
export function memoryAudit(on: boolean): MemoryAudit {
  let records: AuditRecord[] = [];
  let lastId = 0;
  return {
    add(entry) {
      if (on) records.push({ id: ++lastId, ...entry });
    },
    read: (query) => records.filter((record) => fits(record, query)).slice(0, query.limit),
    purge(before, limit) {
      const { length } = records;
      records = records.filter(({ at }, index) => index >= limit || at >= before);
      return length - records.length;
    },
  };
}

function fits({ id, at, user, patientId, action }: AuditRecord, query: AuditQuery): boolean {
  const { after, before = Number.POSITIVE_INFINITY, since = at, until = Number.POSITIVE_INFINITY } = query;
  return (
    id > after &&
    id < before &&
    at >= since &&
    at < until &&
    user === (query.user ?? user) &&
    patientId === (query.patientId ?? patientId) &&
    action === (query.action ?? action)
  );
}
