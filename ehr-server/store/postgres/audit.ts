/** The audit record in PostgreSQL. The statements that change something add its rows. */
import {
  type AuditAction,
  type AuditEntry,
  type AuditQuery,
  type AuditRange,
  type AuditRecord,
  auditConditions,
} from '../audit.ts';
import type { Connection, Query, Statement } from './connection.ts';
import { ADVISORY } from './schema.ts';

/**
 * A writer holds this lock from before its ids are drawn until it has committed, and a reader waits for the
 * writers under way. So no entry appears later with a smaller id than one already read, and a reader that
 * continues from the last id misses nothing.
 */
const IN_ORDER = `pg_advisory_xact_lock_shared(${ADVISORY.audit})`;

/**
 * The part of a statement that adds an audit entry for each row of its part `outcomes (n, at, user_id,
 * patient_id, outcome)`. Empty if there is no audit.
 */
export function auditPart(isOn: boolean, action: AuditAction): string {
  if (!isOn) return '';
  // The lock is taken once all rows are there, so that a writer never waits for a row lock while it blocks
  // the readers.
  return `, logged AS (
    INSERT INTO audit (at, action, user_id, patient_id, outcome)
    SELECT at, '${action}', user_id, patient_id, outcome
    FROM (SELECT ${IN_ORDER} FROM (SELECT count(*) FROM outcomes) AS complete) AS in_order, outcomes
    ORDER BY n
  )`;
}

const ADD_ONE: Statement = {
  name: 'audit_add',
  text: `INSERT INTO audit (at, action, user_id, patient_id, outcome)
    SELECT $1, $2, $3, $4, $5 FROM (SELECT ${IN_ORDER}) AS in_order`,
};

/** Add one entry, as the last statement of a transaction. */
export async function addEntry(query: Query, entry: AuditEntry): Promise<void> {
  const { at, action, user, patientId, outcome } = entry;
  await query(ADD_ONE, [at, action, user, patientId, outcome]);
}

export type Access = { user: string; patientId: string; now: number };

const ADD_ACCESSES: Statement = {
  name: 'audit_add_accesses',
  text: `INSERT INTO audit (at, action, user_id, patient_id, outcome)
    SELECT i.at, 'patient.get_patient', i.user_id, i.patient_id, 'ok'
    FROM (SELECT ${IN_ORDER}) AS in_order,
      unnest($1::bigint[], $2::text[], $3::text[]) WITH ORDINALITY AS i(at, user_id, patient_id, n)
    ORDER BY i.n`,
};

/** Record accesses, all in one statement. */
export async function addAccesses(query: Query, accesses: readonly Access[]): Promise<undefined[]> {
  await query(ADD_ACCESSES, [
    accesses.map(({ now }) => now),
    accesses.map(({ user }) => user),
    accesses.map(({ patientId }) => patientId),
  ]);
  return accesses.map(() => undefined);
}

const WAIT_FOR_WRITERS: Statement = {
  name: 'audit_wait',
  text: `SELECT pg_advisory_xact_lock(${ADVISORY.audit})`,
};
const RANGE: Statement = {
  name: 'audit_range',
  text: 'SELECT coalesce(min(id), 0) AS first, coalesce(max(id), 0) AS last FROM audit',
};

/** Read the ids of the oldest and the newest entry, once the writers under way are done. */
export async function auditRange({ transaction }: Connection): Promise<AuditRange> {
  const [range] = await transaction(async (run) => {
    await run(WAIT_FOR_WRITERS, []);
    return run<AuditRange>(RANGE, []);
  });
  return range as AuditRange;
}

/** Read entries in the order of writing. */
export async function readAudit(connection: Connection, query: AuditQuery): Promise<AuditRecord[]> {
  const { last } = await auditRange(connection);
  const given = auditConditions.filter(([member]) => query[member] !== undefined);
  const where = given.map(([, comparison], index) => `${comparison} $${index + 3}`);
  return connection.query<AuditRecord>(
    {
      name: `audit_read_${given.map(([member]) => member).join('_')}`,
      text: `SELECT id, at, action, user_id AS "user", patient_id AS "patientId", outcome FROM audit
        WHERE ${['id <= $1', ...where].join(' AND ')} ORDER BY id LIMIT $2`,
    },
    [last, query.limit, ...given.map(([member]) => query[member])],
  );
}
