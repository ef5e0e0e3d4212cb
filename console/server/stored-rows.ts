/**
 * Works out from the messages of a run which rows each one added or removed at both servers: tokens, sessions,
 * links. What expires stays listed, since no message is sent then. An authorization server that does not serve
 * the methods `auth.*` is not followed: no message tells what it stores.
 */

import type { Entry, ExchangeEntry } from '#conformance/engine/journal/entry.ts';
import { callOf } from '#conformance/engine/report/words.ts';
import type { StateTable } from '../api.ts';
import { objectIn, objectOf } from './wires/identities.ts';

/**
 * A stored row. Tokens and users are pseudonyms. A row of the table `correspondence` is listed only when it has a
 * signature: no message shows the others.
 */
export type StoredRow = Pick<StateTable, 'party' | 'table'> & {
  user: string;
  token?: string;
  /** The session token that an exchange token was made for. */
  session?: string;
  /** How many minutes a session lives, where its message told it. */
  ttl?: number | undefined;
};

export type StoredChange = { how: 'added' | 'removed'; row: StoredRow };

/** Returns what each message changed, by its `seq`. A message that changed nothing is left out. */
export function changesByMessage(entries: readonly Entry[]): Map<number, readonly StoredChange[]> {
  const stored = new Map<string, StoredRow>();
  const changesBySeq = new Map<number, readonly StoredChange[]>();
  for (const exchange of answered(entries)) {
    const changesBy = exchange.link === 'client->auth' ? changesAtAuth : changesAtEhr;
    // A row that is stored already is not added again, and a row that is gone is not removed again.
    const changes = changesBy(exchange, stored).filter(
      ({ how, row }) => (how === 'added') !== stored.has(keyOf(row)),
    );
    for (const { how, row } of changes)
      if (how === 'added') stored.set(keyOf(row), row);
      else stored.delete(keyOf(row));
    if (changes.length > 0) changesBySeq.set(exchange.seq, changes);
  }
  return changesBySeq;
}

/**
 * Calls that a server carried out, in the order of their replies. A reply counts even when it was lost on its
 * way to the caller.
 */
function answered(entries: readonly Entry[]): ExchangeEntry[] {
  return entries
    .filter((entry): entry is ExchangeEntry => entry.kind === 'exchange' && entry.link !== 'auth->sms')
    .filter(({ facts }) => facts.reply?.result === true)
    .sort((a, b) => a.endedAt - b.endedAt || a.seq - b.seq);
}

const added = (...rows: StoredRow[]): StoredChange[] => rows.map((row) => ({ how: 'added', row }));
const removed = (rows: readonly StoredRow[]): StoredChange[] => rows.map((row) => ({ how: 'removed', row }));

/** The stored rows by their key, see {@link keyOf}. */
type StoredRows = ReadonlyMap<string, StoredRow>;

/**
 * The stored rows of one party, for calls that remove several. Calls that add a row do not use it: a scan for
 * each would be slow in a long run.
 */
const rowsOf = (stored: StoredRows, party: StoredRow['party']): StoredRow[] =>
  [...stored.values()].filter((row) => row.party === party);

/** What a call that the EHR server carried out changes there. */
function changesAtEhr(exchange: ExchangeEntry, stored: StoredRows): StoredChange[] {
  const { exchangeToken, authInfo, cred } = namedIn(exchange.request.body);
  const party = 'ehr' as const;
  const { ttl } = exchange.facts.call ?? {};
  switch (callOf(exchange)) {
    case 'embedded_storage.save_exchange_token':
      if (!exchangeToken || !authInfo) return [];
      return added({
        party,
        table: 'exchangeTokens',
        token: exchangeToken,
        user: authInfo.user,
        session: authInfo.token,
        ttl,
      });
    case 'embedded_storage.authenticate': {
      const used = stored.get(`ehr exchangeTokens ${exchangeToken}`);
      if (!used?.session) return [];
      const { user, session: token } = used;
      const session: StoredRow = { party, table: 'sessions', token, user, ttl: used.ttl };
      return [...removed([used]), ...added(session, { party, table: 'links', user })];
    }
    case 'embedded_storage.save_auth_info':
      return authInfo ? added({ party, table: 'sessions', ...authInfo, ttl }) : [];
    case 'embedded_storage.remove_auth_info':
      return removed(
        rowsOf(stored, party).filter(
          ({ token, session }) =>
            cred !== undefined && (token ?? '') !== '' && [token, session].includes(cred.token),
        ),
      );
    case 'embedded_storage.remove_authentication':
      return removed(rowsOf(stored, party).filter(({ user }) => user === cred?.user));
    default:
      return [];
  }
}

/**
 * What a call that the authorization server carried out changes there. After a sign-in with `linked: false`
 * the server has no signature of the user that works.
 */
function changesAtAuth(exchange: ExchangeEntry, stored: StoredRows): StoredChange[] {
  const { cred } = namedIn(exchange.request.body);
  const party = 'auth' as const;
  const entryOf = (user: string): StoredRow => ({ party, table: 'correspondence', user });
  switch (callOf(exchange)) {
    case 'auth.confirm_otp':
    case 'auth.login': {
      const { authInfo, linked } = resultIn(exchange.response?.body);
      if (!authInfo) return [];
      const session: StoredRow = { party, table: 'sessions', ...authInfo, ttl: exchange.facts.reply?.ttl };
      const entry = entryOf(authInfo.user);
      if (linked === undefined) return added(session);
      return [...added(session), ...(linked ? added(entry) : removed([entry]))];
    }
    case 'auth.report_link':
      return cred ? added(entryOf(cred.user)) : [];
    case 'auth.logout':
      return removed(
        rowsOf(stored, party).filter(({ token }) => token !== undefined && token === cred?.token),
      );
    case 'auth.delete_user':
      return removed(rowsOf(stored, party).filter(({ user }) => user === cred?.user));
    default:
      return [];
  }
}

/** A session as messages name it. */
type Named = { user: string; token: string };

/**
 * Reads the exchange token and the sessions that a masked request names. A batch, or a body that is not JSON,
 * names nothing.
 */
function namedIn(body: string) {
  const call = objectOf(body);
  const params = objectIn(call, 'params');
  const { exchangeToken } = params;
  return {
    exchangeToken: typeof exchangeToken === 'string' ? exchangeToken : undefined,
    authInfo: pairOf(objectIn(params, 'authInfo')),
    cred: pairOf(objectIn(call, 'cred')),
  };
}

/** Reads the session and `linked` from a masked reply to a sign-in. */
function resultIn(body = '') {
  const result = objectIn(objectOf(body), 'result');
  const { linked } = result;
  return {
    authInfo: pairOf(objectIn(result, 'authInfo')),
    linked: typeof linked === 'boolean' ? linked : undefined,
  };
}

function pairOf({ user, token }: Record<string, unknown>): Named | undefined {
  return typeof user === 'string' && typeof token === 'string' ? { user, token } : undefined;
}

/** The key of a row: a session by its token, a link or a signature by its user. */
function keyOf({ party, table, token, user }: StoredRow): string {
  return `${party} ${table} ${token ?? user}`;
}
