/** The audit record: who read which patient's data and who changed which session or link, when, with what outcome; never the data, no token, no signature. */
import type { EhrMethod } from '#protocol/ehr-methods.ts';
import type { Reason } from '#protocol/errors.ts';

/** What is recorded under the name of its method: every access to patient data, every change of a session or a link. */
export type AuditAction = Exclude<EhrMethod, 'rpc.discover'>;

export type AuditEntry = {
  /** Milliseconds since 1970-01-01 UTC on the server's clock. */
  at: number;
  action: AuditAction;
  /** The public id of the user whose session, link or patient it is about. */
  user: string;
  /** The patient whose record was read or linked; null where no patient is known. */
  patientId: string | null;
  outcome: 'ok' | Reason;
};

/** An entry as it was stored; ids grow in the order of writing. */
export type AuditRecord = AuditEntry & { id: number };

export type AuditQuery = {
  /** Only entries with a greater id. */
  after: number;
  /** Only entries with a smaller id. */
  before?: number | undefined;
  limit: number;
  user?: string | undefined;
  patientId?: string | undefined;
  action?: AuditAction | undefined;
  /** Only entries from this time on, in milliseconds. */
  since?: number | undefined;
  /** Only entries before this time, in milliseconds. */
  until?: number | undefined;
};

/** The columns that a query compares, each with the comparison; an engine numbers the parameters its own way. */
export const auditConditions: readonly (readonly [keyof AuditQuery, string])[] = [
  ['after', 'id >'],
  ['before', 'id <'],
  ['user', 'user_id ='],
  ['patientId', 'patient_id ='],
  ['action', 'action ='],
  ['since', 'at >='],
  ['until', 'at <'],
];

/** Who acted: the authorization server stores sessions and exchange tokens (§4.1, §4.2), everything else is the client's. */
export function actorOf(action: AuditAction): 'authorization_server' | 'client' {
  return action === 'embedded_storage.save_auth_info' || action === 'embedded_storage.save_exchange_token'
    ? 'authorization_server'
    : 'client';
}
