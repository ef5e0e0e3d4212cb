/**
 * Compares the audit with the ledger: each acknowledged change and access has an entry, and no entry lacks a
 * call.
 */
import { type Call, type History, isOk, mayHaveWorked } from './history.ts';
import type { RuleViolation } from './rules.ts';

export type GroupAudit = readonly { action: string; user: number; patient: string | null; outcome: string }[];

const ACTIONS: Readonly<Record<Call['method'], string>> = {
  saveExchangeToken: 'embedded_storage.save_exchange_token',
  authenticate: 'embedded_storage.authenticate',
  saveAuthInfo: 'embedded_storage.save_auth_info',
  getPatient: 'patient.get_patient',
  removeAuthInfo: 'embedded_storage.remove_auth_info',
  removeAuthentication: 'embedded_storage.remove_authentication',
};

/**
 * Compares audit entries of successes with the calls. Each user and method has at least as many entries as
 * acknowledged calls, and at most as many as calls that may have worked. `mayBeForgotten` selects accesses
 * whose entries a crash of the database may have lost: unlike the entry of a change, that of an access need
 * not survive a crash.
 */
export function auditViolations(
  history: History,
  audit: GroupAudit,
  mayBeForgotten: (call: Call) => boolean = () => false,
): RuleViolation[] {
  const violations: RuleViolation[] = [];
  for (let user = 0; user < history.users; user++) {
    for (const [method, action] of Object.entries(ACTIONS)) {
      const possible = history.calls.filter(
        (call) => call.method === method && mayHaveWorked(call) && usersOf(history, call).includes(user),
      );
      const acknowledged = possible.filter(
        (call) =>
          isOk(call) &&
          usersOf(history, call).every((other) => other === user) &&
          !(call.method === 'getPatient' && mayBeForgotten(call)),
      );
      const entries = audit.filter((entry) => entry.action === action && entry.user === user && entry.outcome === 'ok');
      const found = `the audit holds ${entries.length} successes of ${action} for u${user}`;
      if (entries.length < acknowledged.length)
        violations.push({
          rule: 'audit-entry-missing',
          message: `${found}, and ${acknowledged.length} were acknowledged`,
          calls: acknowledged,
        });
      if (entries.length > possible.length)
        violations.push({
          rule: 'audit-entry-invented',
          message: `${found}, and at most ${possible.length} can have been`,
          calls: possible,
        });
    }
  }
  return violations;
}

/**
 * Returns the users that the call may have been for. An authenticate may be for any user that its exchange
 * token was saved for.
 */
function usersOf(history: History, call: Call): number[] {
  if (call.method !== 'authenticate') return [call.user];
  return history.calls.flatMap((other) =>
    other.method === 'saveExchangeToken' && other.exchange === call.exchange && mayHaveWorked(other) ? other.user : [],
  );
}
