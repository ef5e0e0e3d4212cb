/** The content of the client's ledger: every call, recorded before it is sent, and its outcome. */
import { describeStep } from '#conformance/roles/ehr-server/world/model/take-step.ts';
import type { Reason } from '#protocol/wire/errors.ts';
import type { CallStep } from '../../steps.ts';

/**
 * Users, patients and tokens have the names of the model, and signatures are numbers: no secret is printed.
 */
export type CallOutcome =
  | { kind: 'ok'; patient?: string; sign?: number }
  | { kind: 'refused'; reason: Reason }
  /** The connection broke or the server failed. The call may or may not have taken effect. */
  | { kind: 'unknown'; why: string };

export type LedgerCall = {
  id: number;
  step: CallStep;
  /** The signature that was sent with a saveAuthInfo. */
  sign: number;
  /** The process that received the call, such as `ehr-2#5`: the fifth start of the second process. */
  process: string;
  /** Positions in the order of all requests and replies. A call of unknown outcome never `returned`. */
  invoked: number;
  returned: number;
  /** The same times in milliseconds of the client's clock. */
  sentAt: number;
  answeredAt: number;
  outcome: CallOutcome;
};

/** The calls of one group, as they were sent. They share users, patients and tokens with no other group. */
export type GroupHistory = { group: number; calls: LedgerCall[] };

/** The rows of a group in the database after the last call, by the names of the model. */
export type GroupSnapshot = {
  links: Record<string, { patient: string; sign: number }>;
  sessions: Record<string, { user: string; recorded: boolean; ended: boolean }>;
  exchanges: Record<string, { user: string; token: string; failures: number; used: boolean }>;
};

/** Describes a call in one line. */
export function describeCall({ id, step, sign, process, outcome, ...times }: LedgerCall): string {
  const signed = step.kind === 'saveAuthInfo' ? ` signed s${sign}` : '';
  const shown =
    outcome.kind === 'ok' && outcome.patient !== undefined ? ` ${outcome.patient} s${outcome.sign}` : '';
  const end =
    outcome.kind === 'ok'
      ? `ok${shown}`
      : outcome.kind === 'refused'
        ? outcome.reason
        : `unknown (${outcome.why})`;
  const span = `[${times.invoked}..${Number.isFinite(times.returned) ? times.returned : ''}]`;
  return `#${id} ${span} ${times.sentAt}..${times.answeredAt} ${process} ${describeStep(step)}${signed} -> ${end}`;
}
