/**
 * The audit record: every access to patient data and every change of a session or link, with its user, time
 * and outcome. It never contains the data, a token or a signature.
 */
import type { EhrMethod } from '#protocol/methods/ehr-methods.ts';
import type { Reason } from '#protocol/wire/errors.ts';

/** The method that is recorded: each access to patient data, and each change of a session or a link. */
export type AuditAction = Exclude<EhrMethod, 'rpc.discover'>;

export type AuditEntry = {
  /** Milliseconds since 1970-01-01 UTC on the server's clock. */
  at: number;
  action: AuditAction;
  /** The public id of the user whose session, link or patient is concerned. */
  user: string;
  /** The patient whose record was read or linked; null if no patient is known. */
  patientId: string | null;
  outcome: 'ok' | Reason;
};

/** A stored entry. Ids grow in the order of writing. */
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

/** The ids of the oldest and the newest entry; both 0 when there is none. */
export type AuditRange = { first: number; last: number };

/** The columns that a query compares, each with its operator. Each engine numbers parameters differently. */
export const auditConditions: readonly (readonly [keyof AuditQuery, string])[] = [
  ['after', 'id >'],
  ['before', 'id <'],
  ['user', 'user_id ='],
  ['patientId', 'patient_id ='],
  ['action', 'action ='],
  ['since', 'at >='],
  ['until', 'at <'],
];

/** The actor: the authorization server for saves of sessions and tokens (§4.1, §4.2), else the client. */
export function actorOf(action: AuditAction): 'authorization_server' | 'client' {
  return action === 'embedded_storage.save_auth_info' || action === 'embedded_storage.save_exchange_token'
    ? 'authorization_server'
    : 'client';
}

/** The entry of an attempt: refused for the reason that `outcome` names, or done. */
export function entryOf(
  at: number,
  action: AuditAction,
  user: string,
  patientId: string | null,
  outcome: object,
): AuditEntry {
  return { at, action, user, patientId, outcome: 'refused' in outcome ? (outcome.refused as Reason) : 'ok' };
}

/** Whether a query asks for this entry, apart from its limit. */
export function isAskedFor({ id, at, user, patientId, action }: AuditRecord, query: AuditQuery): boolean {
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
