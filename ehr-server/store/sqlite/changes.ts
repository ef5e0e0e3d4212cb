/**
 * The changes of sessions, exchange tokens and links in SQLite. Call them inside a transaction. The usual
 * change is tried first. Only if it changes nothing, the reason is looked up.
 */
import { FAILED_MATCH_WINDOW_MS } from '#protocol/limits.ts';
import { failureRows, hashesOf, mayOpen } from '../rules.ts';
import type {
  Attempt,
  Link,
  LinkOutcome,
  LinkRequest,
  NewExchangeToken,
  NewSession,
  SaveExchangeTokenOutcome,
  SaveSessionOutcome,
} from '../store.ts';
import type { ExchangeRow, SessionRow, Statements } from './statements.ts';

/** The link of a session; undefined once the session has ended. */
export function linkOf(sql: Statements, { link }: SessionRow): Link | undefined {
  return sql.linkOfSession.get(link);
}

/** Store or record a session. `link` is the link of its user. */
export function saveSession(
  sql: Statements,
  session: NewSession,
  link: number,
  now: number,
  mayRecord: boolean,
): SaveSessionOutcome {
  if (sql.putSession.run(...columnsOf(session, link, now)).changes === 1) return { id: session.recordId };
  const stored = sql.session.get(session.tokenHash);
  const recordable =
    mayRecord && stored && !stored.recorded && stored.link === link && now < stored.expires_at;
  if (!recordable) return { refused: 'token_already_stored' };
  sql.recordSession.run(session.tokenHash);
  return { id: stored.record_id };
}

/** Store an exchange token. */
export function saveExchangeToken(
  sql: Statements,
  token: NewExchangeToken,
  now: number,
): SaveExchangeTokenOutcome {
  const { hash, expiresAt, recordId, session } = token;
  const { user, tokenHash, lifetime, created } = session;
  const stored = sql.session.get(tokenHash);
  if (!stored || mayOpen(linkOf(sql, stored)?.user, stored.expires_at, user, now)) {
    const columns = [hash, recordId, user, tokenHash, lifetime, created ?? null, expiresAt] as const;
    const put = sql.putExchangeToken.run(...columns);
    if (put.changes === 1) return { id: recordId };
  }
  return {
    refused: sql.hasExchangeToken.get(hash) ? 'exchange_token_already_stored' : 'token_already_stored',
  };
}

/** The exchange token of an attempt, with the failed matches that count now. */
export function tokenOf(sql: Statements, attempt: Attempt): ExchangeRow | undefined {
  const since = attempt.now - FAILED_MATCH_WINDOW_MS;
  return sql.exchangeToken.get({ hash: attempt.exchangeToken, ...hashesOf(attempt), since });
}

/** Count a failed match. */
export function countFailedMatch(sql: Statements, attempt: Attempt, user: string): void {
  sql.countFailure.run(attempt.exchangeToken);
  for (const [counted, hash] of failureRows(user, attempt)) sql.putFailure.run(counted, hash, attempt.now);
}

/** Link the user of `token`, which can be used now. */
export function link(sql: Statements, token: ExchangeRow, request: LinkRequest): LinkOutcome {
  const { exchangeToken, patientId, newUserSign, recordId, now } = request;
  const session = sql.session.get(token.session_hash);
  const holder = session && linkOf(sql, session)?.user;
  if (session && !mayOpen(holder, session.expires_at, token.user, now))
    return { refused: 'token_already_stored' };
  const known = sql.linkOfUser.get(token.user);
  if (known ? known.patientId !== patientId : sql.linkOfPatient.get(patientId)) {
    countFailedMatch(sql, request, token.user);
    return { refused: known ? 'patient_already_matched' : 'patient_already_linked' };
  }
  const userSign = known?.userSign ?? newUserSign;
  const linkId = known?.id ?? Number(sql.putLink.run(token.user, patientId, userSign).lastInsertRowid);
  if (holder === undefined) {
    const { session_hash: tokenHash, session_lifetime: lifetime, session_created: created } = token;
    sql.openSession.run(
      ...columnsOf({ tokenHash, lifetime, created: created ?? undefined, recordId }, linkId, now),
    );
  }
  sql.useExchangeToken.run(exchangeToken);
  return { userSign };
}

const columnsOf = (
  { tokenHash, recordId, lifetime, created }: Omit<NewSession, 'user'>,
  link: number,
  now: number,
) => [tokenHash, recordId, link, now, now + lifetime, created ?? null] as const;
