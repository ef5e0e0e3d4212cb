/** What the client's ledger holds: every call with what it was meant to do, noted before it is sent, and how it ended. */
import type { Reason } from '#protocol/errors.ts';

/**
 * Users, patients, session tokens, exchange tokens and signatures are numbers within their group: a ledger that is
 * printed gives nothing away.
 */
export type Intent =
  | { method: 'saveExchangeToken'; exchange: number; user: number; token: number }
  /** `patient` undefined: properties that fit nobody. */
  | { method: 'authenticate'; exchange: number; patient: number | undefined }
  | { method: 'saveAuthInfo'; user: number; token: number; sign: number }
  | { method: 'getPatient'; user: number; token: number }
  | { method: 'removeAuthInfo'; user: number; token: number }
  | { method: 'removeAuthentication'; user: number; token: number };

/** A patient or a signature of -1 was none of the group's. */
export type Outcome =
  | { kind: 'ok'; patient?: number; sign?: number }
  | { kind: 'refused'; reason: Reason }
  /** The connection broke, or the server failed: the call may have taken effect, or may not. */
  | { kind: 'unknown'; why: string };

export type Call = Intent & {
  /** The id of the request. */
  id: number;
  /** The process to which it was sent, such as `ehr-2#5`: the fifth start of the second. */
  process: string;
  /** Places in the order of all sendings and all replies; a call that ended unknown never `returned`. */
  invoked: number;
  returned: number;
  /** The same in milliseconds of the client's clock. */
  sentAt: number;
  answeredAt: number;
  outcome: Outcome;
};

/** Calls that share users, patients and tokens with each other and with no call of another group. */
export type History = {
  group: number;
  users: number;
  /** In the order of sending. */
  calls: Call[];
};

/** What the database holds of a group after the last call. */
export type Snapshot = {
  /** By user. */
  links: readonly ({ patient: number; sign: number } | undefined)[];
  /** By session token. An ended session has no user. */
  sessions: readonly ({ user: number | undefined; recorded: boolean; ended: boolean } | undefined)[];
  /** By exchange token. */
  exchanges: readonly ({ user: number; token: number; failures: number; used: boolean } | undefined)[];
};

export function isOk(call: Call): boolean {
  return call.outcome.kind === 'ok';
}

/** Whether a call changed something, as far as the client can tell. */
export function mayHaveWorked(call: Call): boolean {
  return call.outcome.kind !== 'refused';
}

/** One line of the ledger. */
export function describeCall(call: Call): string {
  const { outcome } = call;
  const objects = [
    'user' in call ? `u${call.user}` : '',
    'exchange' in call ? `x${call.exchange}` : '',
    'token' in call ? `t${call.token}` : '',
    call.method === 'authenticate' ? (call.patient === undefined ? 'nobody' : `p${call.patient}`) : '',
    call.method === 'saveAuthInfo' ? `s${call.sign}` : '',
  ].filter((object) => object !== '');
  const end =
    outcome.kind === 'ok'
      ? ['ok', ...(outcome.patient === undefined ? [] : [`p${outcome.patient}`, `s${outcome.sign}`])].join(' ')
      : outcome.kind === 'refused'
        ? outcome.reason
        : `unknown (${outcome.why})`;
  const span = `[${call.invoked}..${Number.isFinite(call.returned) ? call.returned : ''}]`;
  return `#${call.id} ${span} ${call.sentAt}..${call.answeredAt} ${call.process} ${call.method} ${objects.join(' ')} -> ${end}`;
}
