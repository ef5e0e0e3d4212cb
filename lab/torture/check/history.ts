/**
 * The content of the client's ledger: every call with its intent, recorded before it is sent, and its
 * outcome.
 */
import type { Reason } from '#protocol/wire/errors.ts';

/**
 * Users, patients, session tokens, exchange tokens and signatures are numbers within their group, so that a
 * printed ledger reveals no secret.
 */
export type Intent =
  | { method: 'saveExchangeToken'; exchange: number; user: number; token: number }
  /** Undefined `patient`: properties that match no patient. */
  | { method: 'authenticate'; exchange: number; patient: number | undefined }
  | { method: 'saveAuthInfo'; user: number; token: number; sign: number }
  | { method: 'getPatient'; user: number; token: number }
  | { method: 'removeAuthInfo'; user: number; token: number }
  | { method: 'removeAuthentication'; user: number; token: number };

/** A `patient` or `sign` of -1 belongs to no member of the group. */
export type Outcome =
  | { kind: 'ok'; patient?: number; sign?: number }
  | { kind: 'refused'; reason: Reason }
  /** The connection broke or the server failed. The call may or may not have taken effect. */
  | { kind: 'unknown'; why: string };

export type Call = Intent & {
  /** The id of the request. */
  id: number;
  /** The process that received the call, such as `ehr-2#5`: the fifth start of the second process. */
  process: string;
  /** Positions in the order of all requests and replies. A call of unknown outcome never `returned`. */
  invoked: number;
  returned: number;
  /** The same times in milliseconds of the client's clock. */
  sentAt: number;
  answeredAt: number;
  outcome: Outcome;
};

/** The calls of one group. They share users, patients and tokens with each other and with no other group. */
export type History = {
  group: number;
  users: number;
  /** In the order in which they were sent. */
  calls: Call[];
};

/** The database rows of a group after the last call. */
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

/** Tells whether a call may have changed something, as far as the client knows. */
export function mayHaveWorked(call: Call): boolean {
  return call.outcome.kind !== 'refused';
}

/** Describes a call in one line. */
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
