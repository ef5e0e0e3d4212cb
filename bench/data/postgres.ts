/** The sessions of the benchmarks on PostgreSQL, made by the database itself: the same users, tokens and signatures as in the SQLite files. */
import { runOn } from '#e2e/postgres/databases.ts';
import { DIGITS, digits, FAR_FUTURE, sessionTokenOf, userOf } from './identities.ts';
import type { SessionPlan } from './sessions.ts';

/** Fills the tables of an EHR server, which must be there and empty. */
export async function fillPostgres(url: string, { sessions, users }: Omit<SessionPlan, 'expiresAt'>): Promise<void> {
  const padded = (value: string, width = DIGITS) => `lpad((${value})::text, ${width}, '0')`;
  const prefixOf = (example: string) => `'${example.slice(0, -digits(0).length)}'`;
  const user = (value: string) => `${prefixOf(userOf(0))} || ${padded(value)}`;
  await runOn(
    url,
    `
    INSERT INTO links (user_id, patient_id, user_sign)
      SELECT ${user('n')}, 'p-' || ${padded('n + 1', 7)},
        translate(encode(sha256(('sign-' || n)::bytea), 'base64'), '+/=', '-_')
      FROM generate_series(0, ${users - 1}) AS n;
    INSERT INTO sessions (token_hash, record_id, user_id, stored_at, expires_at, created, recorded)
      SELECT hash, left(encode(hash, 'hex'), 22), ${user(`n % ${users}`)}, 0, ${FAR_FUTURE}, NULL, true
      FROM (
        SELECT n, sha256((${prefixOf(sessionTokenOf(0))} || ${padded('n')})::bytea) AS hash
        FROM generate_series(0, ${sessions - 1}) AS n
      ) AS numbered;
    ANALYZE;
    `,
  );
}
