/** The audit record in PostgreSQL: rows are added by the statements that change something, and read in the order of writing. */
import type { Reason } from '#protocol/errors.ts';
import { type AuditAction, type AuditQuery, type AuditRecord, auditConditions } from '../audit.ts';
import type { Connection, Query, Statement } from './connection.ts';
import { ADVISORY } from './schema.ts';

/**
 * Whoever adds entries holds this from before their ids are drawn until they are committed; whoever reads waits for
 * those under way. So no entry appears with a smaller id than one that was read before, and a reader that goes on from
 * the last id misses nothing.
 */
const IN_ORDER = `pg_advisory_xact_lock_shared(${ADVISORY.audit})`;

/**
 * A further part of a statement that has a part `outcomes (n, at, user_id, patient_id, outcome)`: adds an entry for
 * each of its rows. Empty where there is no audit.
 */
export function auditPart(isOn: boolean, action: AuditAction): string {
  if (!isOn) return '';
  // Only once all rows are there: nobody waits for another's row while he holds up the readers.
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

/** Adds one entry, as the last statement of a transaction. */
export async function addEntry(
  query: Query,
  at: number,
  action: AuditAction,
  user: string,
  patientId: string | null,
  outcome: 'ok' | Reason,
): Promise<void> {
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

/** Adds what was read, all in one statement. */
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
const NEWEST: Statement = { name: 'audit_newest', text: 'SELECT max(id) AS newest FROM audit' };

/** Entries in the order of writing. */
export async function readAudit(connection: Connection, query: AuditQuery): Promise<AuditRecord[]> {
  const newest = await connection.transaction(async (run) => {
    await run(WAIT_FOR_WRITERS, []);
    return (await run<{ newest: number | null }>(NEWEST, []))[0]?.newest ?? 0;
  });
  const given = auditConditions.filter(([member]) => query[member] !== undefined);
  const where = given.map(([, comparison], index) => `${comparison} $${index + 3}`);
  return connection.query<AuditRecord>(
    {
      name: `audit_read_${given.map(([member]) => member).join('_')}`,
      text: `SELECT id, at, action, user_id AS "user", patient_id AS "patientId", outcome FROM audit
        WHERE ${['id <= $1', ...where].join(' AND ')} ORDER BY id LIMIT $2`,
    },
    [newest, query.limit, ...given.map(([member]) => query[member])],
  );
}
