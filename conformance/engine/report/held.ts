/**
 * The state of each moment: what both servers hold after each message, as far as the messages tell. What ends
 * by itself, when its time is over, stays listed. Of an authorization server that does not serve the methods
 * `auth.*` no message tells what it holds.
 */
import { isObject } from '#protocol/wire/envelope.ts';
import { tryJson } from '#protocol/wire/json.ts';
import type { Entry, ExchangeEntry } from '../journal/entry.ts';
import { callOf } from './words.ts';

/** `correspondence`: an entry with a signature, which alone can be told from the messages. */
export type HeldTable = 'exchangeTokens' | 'sessions' | 'links' | 'correspondence';

/** Tokens and users are pseudonyms. */
export type HeldRow = {
  party: 'ehr' | 'auth';
  table: HeldTable;
  user: string;
  token?: string;
  session?: string;
};
export type HeldChange = { how: 'added' | 'removed'; row: HeldRow };

/** What one message changed, and how many rows each table has after it. */
export type Moment = { changes: readonly HeldChange[]; totals: Totals };
export type Totals = Readonly<Partial<Record<`${HeldRow['party']} ${HeldTable}`, number>>>;

/** Returns a moment for each message that changed something, by its `seq`. */
export function momentsOf(entries: readonly Entry[]): Map<number, Moment> {
  const held = new Map<string, HeldRow>();
  const moments = new Map<number, Moment>();
  let totals: Totals = {};
  for (const exchange of answered(entries)) {
    const changesBy = exchange.link === 'client->auth' ? changesAtAuth : changesAtEhr;
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

/** Calls that a server carried out, in the order of their replies. A reply may be lost afterwards. */
function answered(entries: readonly Entry[]): ExchangeEntry[] {
  return entries
    .filter((entry): entry is ExchangeEntry => entry.kind === 'exchange' && entry.link !== 'auth->sms')
    .filter(({ facts }) => facts.reply?.result === true)
    .sort((a, b) => a.endedAt - b.endedAt || a.seq - b.seq);
}

const added = (...rows: HeldRow[]): HeldChange[] => rows.map((row) => ({ how: 'added', row }));
const removed = (rows: readonly HeldRow[]): HeldChange[] => rows.map((row) => ({ how: 'removed', row }));

type Held = ReadonlyMap<string, HeldRow>;

/** Rows of one party, for what removes several: a call that adds one looks at no other. */
const rowsOf = (held: Held, party: HeldRow['party']): HeldRow[] =>
  [...held.values()].filter((row) => row.party === party);

function changesAtEhr(exchange: ExchangeEntry, held: Held): HeldChange[] {
  const { exchangeToken, authInfo, cred } = namedIn(exchange.request.body);
  const party = 'ehr' as const;
  switch (callOf(exchange)) {
    case 'embedded_storage.save_exchange_token':
      if (!exchangeToken || !authInfo) return [];
      return added({
        ...{ party, table: 'exchangeTokens', token: exchangeToken },
        ...{ user: authInfo.user, session: authInfo.token },
      });
    case 'embedded_storage.authenticate': {
      const used = held.get(`ehr exchangeTokens ${exchangeToken}`);
      if (!used?.session) return [];
      const session: HeldRow = { party, table: 'sessions', token: used.session, user: used.user };
      return [...removed([used]), ...added(session, { party, table: 'links', user: used.user })];
    }
    case 'embedded_storage.save_auth_info':
      return authInfo ? added({ party, table: 'sessions', token: authInfo.token, user: authInfo.user }) : [];
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

/** A sign-in that ends unlinked has found no signature that works: the server keeps none. */
function changesAtAuth(exchange: ExchangeEntry, held: Held): HeldChange[] {
  const { cred } = namedIn(exchange.request.body);
  const party = 'auth' as const;
  const entryOf = (user: string): HeldRow => ({ party, table: 'correspondence', user });
  switch (callOf(exchange)) {
    case 'auth.confirm_otp':
    case 'auth.login': {
      const { authInfo, linked } = resultIn(exchange.response?.body);
      if (!authInfo) return [];
      const session: HeldRow = { party, table: 'sessions', ...authInfo };
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

type Named = { user: string; token: string };

/** Reads the names of a masked request. A batch, or what is not JSON, names nothing. */
function namedIn(body: string): {
  exchangeToken: string | undefined;
  authInfo: Named | undefined;
  cred: Named | undefined;
} {
  const call = objectOf(tryJson(body)?.value);
  const { exchangeToken, authInfo } = objectOf(call.params);
  return {
    exchangeToken: typeof exchangeToken === 'string' ? exchangeToken : undefined,
    authInfo: pairOf(authInfo),
    cred: pairOf(call.cred),
  };
}

/** Reads a masked reply to a sign-in. */
function resultIn(body = ''): { authInfo: Named | undefined; linked: boolean | undefined } {
  const { authInfo, linked } = objectOf(objectOf(tryJson(body)?.value).result);
  return { authInfo: pairOf(authInfo), linked: typeof linked === 'boolean' ? linked : undefined };
}

const objectOf = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {});

function pairOf(value: unknown): Named | undefined {
  const { user, token } = objectOf(value);
  return typeof user === 'string' && typeof token === 'string' ? { user, token } : undefined;
}

function keyOf({ party, table, token, user }: HeldRow): string {
  return `${party} ${table} ${token ?? user}`;
}
