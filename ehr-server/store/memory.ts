/**
 * The store in memory: for the conformance kit, for tests, and for mocks in a browser. Each call does its
 * work at once, so nothing comes between its steps.
 */
import { DEFAULT_FAILED_MATCHES_PER_HOUR } from '#protocol/limits.ts';
import { memoryAudit } from './memory-audit.ts';
import { contentsOf } from './memory-contents.ts';
import { MemoryRows } from './memory-rows.ts';
import type { Store, StoreOptions } from './store.ts';

/** Open an empty store. It ignores the options of databases. */
export function memoryStore({ audit, failedMatchesPerHour }: StoreOptions = { audit: true }): Store {
  const rows = new MemoryRows(memoryAudit(audit), failedMatchesPerHour ?? DEFAULT_FAILED_MATCHES_PER_HOUR);
  return {
    findSession: (tokenHash) => rows.findSession(tokenHash),
    findLink: (user) => rows.links.get(user),
    refusalOf: (attempt) => rows.refusalOf(attempt),
    saveSession: async (...given) => rows.saveSession(...given),
    saveExchangeToken: async (token, now) => rows.saveExchangeToken(token, now),
    link: async (request) => rows.link(request),
    countFailure: async (attempt) => rows.countFailure(attempt),
    removeSession: async (...given) => rows.removeSession(...given),
    removeUser: async (...given) => rows.removeUser(...given),
    recordAccess: (user, patientId, now) => rows.record(now, 'patient.get_patient', user, patientId, {}),
    readAudit: (query) => rows.audit.read(query),
    contents: (limit) => contentsOf(rows, limit),
    async keep() {
      const restore = rows.keep();
      return async () => restore();
    },
    clear: async () => rows.clear(),
    purge: async (before, limit) =>
      deleteExpired(rows.sessions, before, limit) + deleteExpired(rows.exchangeTokens, before, limit),
    purgeFailures: async (before, limit) => rows.purgeFailures(before, limit),
    purgeAudit: async (before, limit) => rows.audit.purge(before, limit),
    check: () => undefined,
    close: async () => undefined,
  };
}

/** Delete at most `limit` rows that expired before `before`. Returns their number. */
function deleteExpired(stored: Map<string, { expiresAt: number }>, before: number, limit: number): number {
  const expired = [...stored].filter(([, { expiresAt }]) => expiresAt < before).slice(0, limit);
  for (const [key] of expired) stored.delete(key);
  return expired.length;
}
