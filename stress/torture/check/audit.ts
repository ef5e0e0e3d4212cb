/** The audit against the ledger: an entry for every change and every access that was acknowledged, and none for what nobody asked for. */
import { type Call, type History, isOk, mayHaveWorked } from './history.ts';
import type { Breach } from './rules.ts';

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
 * Holds the entries of successes against the calls: of each user and method at least as many as were acknowledged, at
 * most as many as may have worked. `mayBeForgotten` names accesses whose entries a crash of the database may have taken:
 * unlike a change, an access on record need not outlive the machine.
 */
export function auditBreaches(
  history: History,
  audit: GroupAudit,
  mayBeForgotten: (call: Call) => boolean = () => false,
): Breach[] {
  const breaches: Breach[] = [];
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
        breaches.push({
          rule: 'audit-entry-missing',
          message: `${found}, and ${acknowledged.length} were acknowledged`,
          calls: acknowledged,
        });
      if (entries.length > possible.length)
        breaches.push({
          rule: 'audit-entry-invented',
          message: `${found}, and at most ${possible.length} can have been`,
          calls: possible,
        });
    }
  }
  return breaches;
}

/** For whom the call may have been: of authenticate, whoever the exchange token may have been saved for. */
function usersOf(history: History, call: Call): number[] {
  if (call.method !== 'authenticate') return [call.user];
  return history.calls.flatMap((other) =>
    other.method === 'saveExchangeToken' && other.exchange === call.exchange && mayHaveWorked(other) ? other.user : [],
  );
}
