/**
 * Compares the audit with the ledger: each acknowledged change and access has an entry, and no entry lacks a
 * call.
 */
import { methodOf } from '../../steps.ts';
import type { LedgerCall } from './history.ts';
import type { AuditRow } from './rows.ts';

export type FoundViolation = { rule: string; message: string; calls: readonly LedgerCall[] };

/**
 * Compares the audit entries of successes with the calls. Each user and method has at least as many entries
 * as acknowledged calls, and at most as many as calls that may have worked. `mayBeForgotten` selects accesses
 * whose entries a crash of the database may have lost: unlike the entry of a change, that of an access need
 * not survive a crash.
 */
export function auditViolations(
  calls: readonly LedgerCall[],
  audit: readonly AuditRow[],
  mayBeForgotten: (call: LedgerCall) => boolean,
): FoundViolation[] {
  const violations: FoundViolation[] = [];
  const methods = new Set(calls.map(({ step }) => methodOf(step)));
  const users = new Set(calls.flatMap((call) => usersOf(calls, call)));
  for (const user of new Set([...users, ...audit.map((entry) => entry.user)])) {
    for (const action of new Set([...methods, ...audit.map((entry) => entry.action)])) {
      const possible = calls.filter(
        (call) =>
          methodOf(call.step) === action &&
          call.outcome.kind !== 'refused' &&
          usersOf(calls, call).includes(user),
      );
      const acknowledged = possible.filter(
        (call) =>
          call.outcome.kind === 'ok' &&
          usersOf(calls, call).every((other) => other === user) &&
          !(call.step.kind === 'getPatient' && mayBeForgotten(call)),
      );
      const entries = audit.filter(
        (entry) => entry.action === action && entry.user === user && entry.outcome === 'ok',
      );
      const found = `the audit holds ${entries.length} successes of ${action} for ${user}`;
      if (entries.length < acknowledged.length) {
        const message = `${found}, and ${acknowledged.length} were acknowledged`;
        violations.push({ rule: 'audit-entry-missing', message, calls: acknowledged });
      }
      if (entries.length > possible.length) {
        const message = `${found}, and at most ${possible.length} can have been`;
        violations.push({ rule: 'audit-entry-invented', message, calls: possible });
      }
    }
  }
  return violations;
}

/** Returns the users that the call may have been for: an authenticate, each that its token was saved for. */
function usersOf(calls: readonly LedgerCall[], { step }: LedgerCall): string[] {
  if (step.kind !== 'authenticate') return [step.user];
  return calls.flatMap(({ step: other, outcome }) =>
    other.kind === 'saveExchangeToken' &&
    other.exchangeToken === step.exchangeToken &&
    outcome.kind !== 'refused'
      ? other.user
      : [],
  );
}
