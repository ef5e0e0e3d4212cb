/** The audit against the ledger: an entry for every change and every access that was acknowledged, and none for what nobody asked for. */
import type { Call, History } from './history.ts';
import { type Breach, openedBy } from './rules.ts';

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
 * most as many as may have worked.
 */
export function auditBreaches(history: History, audit: GroupAudit): Breach[] {
  const breaches: Breach[] = [];
  for (let user = 0; user < history.users; user++) {
    for (const [method, action] of Object.entries(ACTIONS)) {
      const calls = history.calls.filter((call) => call.method === method && mayBeOf(history, call, user));
      const acknowledged = calls.filter((call) => call.outcome.kind === 'ok');
      const possible = calls.filter((call) => call.outcome.kind !== 'refused');
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

function mayBeOf(history: History, call: Call, user: number): boolean {
  if (call.method !== 'authenticate') return call.user === user;
  const opened = openedBy(history.calls, call);
  return opened ? opened.user === user : call.outcome.kind === 'unknown';
}
