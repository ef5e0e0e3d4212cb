/**
 * Works out from the messages of a run what both servers store (tokens, sessions, links) after each message,
 * so that diagrams can show it. What expires stays listed, since no message is sent then. An authorization
 * server that does not serve the methods `auth.*` is not followed: no message tells what it stores.
 */

import type { Entry, ExchangeEntry } from '#conformance/engine/journal/entry.ts';
import { callOf } from '#conformance/engine/report/words.ts';
import { objectIn, objectOf } from './wires/identities.ts';

/**
 * What a server stores, as tables. `correspondence` is the table of the authorization server that has the
 * signature of each linked user. A row is listed only when it has a signature: no message shows the others.
 */
export type HeldTable = 'exchangeTokens' | 'sessions' | 'links' | 'correspondence';

/**
 * A stored row. Tokens and users are pseudonyms. `session` is the session token that an exchange token was
 * made for. `ttl` is how many minutes a session lives, where its message told it.
 */
export type HeldRow = {
  party: 'ehr' | 'auth';
  table: HeldTable;
  user: string;
  token?: string;
  session?: string;
  ttl?: number | undefined;
};
/** A row that a message added or removed. */
export type HeldChange = { how: 'added' | 'removed'; row: HeldRow };

/** What one message changed, and how many rows each table has after the message. */
export type Moment = { changes: readonly HeldChange[]; totals: Totals };
/** How many rows a table has, by party and table, such as `ehr sessions`. */
export type Totals = Readonly<Partial<Record<`${HeldRow['party']} ${HeldTable}`, number>>>;

/** Returns a moment for each message that changed something, by the `seq` of the message. */
export function momentsOf(entries: readonly Entry[]): Map<number, Moment> {
  const held = new Map<string, HeldRow>();
  const moments = new Map<number, Moment>();
  let totals: Totals = {};
  for (const exchange of answered(entries)) {
    const changesBy = exchange.link === 'client->auth' ? changesAtAuth : changesAtEhr;
    // A row that is stored already is not added again, and a row that is gone is not removed again.
    const changes = changesBy(exchange, held).filter(
      ({ how, row }) => (how === 'added') !== held.has(keyOf(row)),
    );
    for (const { how, row } of changes) {
      if (how === 'added') held.set(keyOf(row), row);
      else held.delete(keyOf(row));
      const table = `${row.party} ${row.table}` as const;
      totals = { ...totals, [table]: (totals[table] ?? 0) + (how === 'added' ? 1 : -1) };
    }
    if (changes.length > 0) moments.set(exchange.seq, { changes, totals });
  }
  return moments;
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

const added = (...rows: HeldRow[]): HeldChange[] => rows.map((row) => ({ how: 'added', row }));
const removed = (rows: readonly HeldRow[]): HeldChange[] => rows.map((row) => ({ how: 'removed', row }));

/** The stored rows by their key, see {@link keyOf}. */
type Held = ReadonlyMap<string, HeldRow>;

/**
 * The stored rows of one party, for calls that remove several. Calls that add a row do not use it: a scan for
 * each would be slow in a long run.
 */
const rowsOf = (held: Held, party: HeldRow['party']): HeldRow[] =>
  [...held.values()].filter((row) => row.party === party);

/** What a call that the EHR server carried out changes there. */
function changesAtEhr(exchange: ExchangeEntry, held: Held): HeldChange[] {
  const { exchangeToken, authInfo, cred } = namedIn(exchange.request.body);
  const party = 'ehr' as const;
  const { ttl } = exchange.facts.call ?? {};
  switch (callOf(exchange)) {
    case 'embedded_storage.save_exchange_token':
      if (!exchangeToken || !authInfo) return [];
      return added({
        ...{ party, table: 'exchangeTokens', token: exchangeToken },
        ...{ user: authInfo.user, session: authInfo.token, ttl },
      });
    case 'embedded_storage.authenticate': {
      const used = held.get(`ehr exchangeTokens ${exchangeToken}`);
      if (!used?.session) return [];
      const { user, session: token } = used;
      const session: HeldRow = { party, table: 'sessions', token, user, ttl: used.ttl };
      return [...removed([used]), ...added(session, { party, table: 'links', user })];
    }
    case 'embedded_storage.save_auth_info':
      return authInfo ? added({ party, table: 'sessions', ...authInfo, ttl }) : [];
    case 'embedded_storage.remove_auth_info':
      return removed(
        rowsOf(held, party).filter(
          ({ token, session }) =>
            cred !== undefined && (token ?? '') !== '' && [token, session].includes(cred.token),
        ),
      );
    case 'embedded_storage.remove_authentication':
      return removed(rowsOf(held, party).filter(({ user }) => user === cred?.user));
    default:
      return [];
  }
}

/**
 * What a call that the authorization server carried out changes there. After a sign-in with `linked: false`
 * the server has no signature of the user that works.
 */
function changesAtAuth(exchange: ExchangeEntry, held: Held): HeldChange[] {
  const { cred } = namedIn(exchange.request.body);
  const party = 'auth' as const;
  const entryOf = (user: string): HeldRow => ({ party, table: 'correspondence', user });
  switch (callOf(exchange)) {
    case 'auth.confirm_otp':
    case 'auth.login': {
      const { authInfo, linked } = resultIn(exchange.response?.body);
      if (!authInfo) return [];
      const session: HeldRow = { party, table: 'sessions', ...authInfo, ttl: exchange.facts.reply?.ttl };
      const entry = entryOf(authInfo.user);
      if (linked === undefined) return added(session);
      return [...added(session), ...(linked ? added(entry) : removed([entry]))];
    }
    case 'auth.report_link':
      return cred ? added(entryOf(cred.user)) : [];
    case 'auth.logout':
      return removed(rowsOf(held, party).filter(({ token }) => token !== undefined && token === cred?.token));
    case 'auth.delete_user':
      return removed(rowsOf(held, party).filter(({ user }) => user === cred?.user));
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
function keyOf({ party, table, token, user }: HeldRow): string {
  return `${party} ${table} ${token ?? user}`;
}
