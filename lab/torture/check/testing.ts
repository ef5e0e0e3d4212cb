/** Short notation for the histories in the tests of the checker. */
import type { Call, History, Intent, Outcome, Snapshot } from './history.ts';

const ok: Outcome = { kind: 'ok' };
export const unknown: Outcome = { kind: 'unknown', why: 'SIGKILL' };
export const shows = (patient: number, sign = 0): Outcome => ({ kind: 'ok', patient, sign });
export const refused = (reason: (Outcome & { kind: 'refused' })['reason']): Outcome => ({ kind: 'refused', reason });

/** A call that starts at `at` and takes `lasts`. By default calls follow one another. */
export type Line = Intent & { outcome?: Outcome; at?: number; lasts?: number; process?: string; minute?: number };

export function historyOf(lines: readonly Line[]): History {
  const calls = lines.map((line, index): Call => {
    const { outcome = ok, at = index * 10, lasts = 5, process = 'ehr-1#1', minute = 0, ...intent } = line;
    return {
      ...intent,
      id: index + 1,
      process,
      invoked: at,
      returned: outcome.kind === 'unknown' ? Number.POSITIVE_INFINITY : at + lasts,
      sentAt: minute * 60_000 + at,
      answeredAt: minute * 60_000 + at + lasts,
      outcome,
    };
  });
  return { group: 0, users: 3, calls };
}

/** Returns the content of a database. Rows that are not named are absent. */
export function snapshotOf(rows: {
  links?: Record<number, { patient: number; sign?: number }>;
  sessions?: Record<number, { user: number; recorded?: boolean } | 'ended'>;
  exchanges?: Record<number, { user: number; token: number; failures?: number; used?: boolean }>;
}): Snapshot {
  const list = <Row, Stored>(of: Record<number, Row> = {}, stored: (row: Row) => Stored) =>
    Array.from({ length: 8 }, (_, number) => {
      const row = of[number];
      return row === undefined ? undefined : stored(row);
    });
  return {
    links: list(rows.links, ({ patient, sign = 0 }) => ({ patient, sign })),
    sessions: list(rows.sessions, (row) =>
      row === 'ended'
        ? { user: undefined, recorded: false, ended: true }
        : { user: row.user, recorded: row.recorded ?? false, ended: false },
    ),
    exchanges: list(rows.exchanges, ({ user, token, failures = 0, used = false }) => ({ user, token, failures, used })),
  };
}

export const save = (exchange: number, user: number, token: number) =>
  ({ method: 'saveExchangeToken', exchange, user, token }) as const;
export const authenticate = (exchange: number, patient: number | undefined) =>
  ({ method: 'authenticate', exchange, patient }) as const;
export const record = (user: number, token: number, sign = 0) =>
  ({ method: 'saveAuthInfo', user, token, sign }) as const;
export const read = (user: number, token: number) => ({ method: 'getPatient', user, token }) as const;
export const logout = (user: number, token: number) => ({ method: 'removeAuthInfo', user, token }) as const;
export const disconnect = (user: number, token: number) => ({ method: 'removeAuthentication', user, token }) as const;
