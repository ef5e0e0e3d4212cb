/**
 * The state of each moment: what the EHR server holds after each message, as far as the messages tell. What
 * ends by itself, when its time is over, stays listed.
 */
import { isObject } from '#protocol/wire/envelope.ts';
import type { Entry, ExchangeEntry } from '../journal/entry.ts';
import { callOf } from './words.ts';

export type HeldTable = 'exchangeTokens' | 'sessions' | 'links';

/** Tokens and users are pseudonyms. */
export type HeldRow = { table: HeldTable; user: string; token?: string; session?: string };
export type HeldChange = { how: 'added' | 'removed'; row: HeldRow };

/** What one message changed, and all that is held after it. */
export type Moment = { changes: readonly HeldChange[]; held: readonly HeldRow[] };

/** Returns a moment for each message that changed something, by its `seq`. */
export function momentsOf(entries: readonly Entry[]): Map<number, Moment> {
  const held = new Map<string, HeldRow>();
  const moments = new Map<number, Moment>();
  for (const exchange of answeredByEhr(entries)) {
    const changes = changesBy(exchange, [...held.values()]).filter(
      ({ how, row }) => (how === 'added') !== held.has(keyOf(row)),
    );
    for (const { how, row } of changes) {
      if (how === 'added') held.set(keyOf(row), row);
      else held.delete(keyOf(row));
    }
    if (changes.length > 0) moments.set(exchange.seq, { changes, held: [...held.values()] });
  }
  return moments;
}

/** Calls that the EHR server carried out, in the order of their replies. A reply may be lost afterwards. */
function answeredByEhr(entries: readonly Entry[]): ExchangeEntry[] {
  return entries
    .filter((entry): entry is ExchangeEntry => entry.kind === 'exchange' && entry.link.endsWith('->ehr'))
    .filter(({ facts }) => facts.reply?.result === true)
    .sort((a, b) => a.endedAt - b.endedAt || a.seq - b.seq);
}

function changesBy(exchange: ExchangeEntry, held: readonly HeldRow[]): HeldChange[] {
  const { exchangeToken, authInfo, cred } = namedIn(exchange.request.body);
  const removed = (is: (row: HeldRow) => boolean) => held.filter(is).map((row) => ({ how: 'removed' as const, row }));
  const added = (...rows: HeldRow[]) => rows.map((row) => ({ how: 'added' as const, row }));
  switch (callOf(exchange)) {
    case 'embedded_storage.save_exchange_token':
      if (!exchangeToken || !authInfo) return [];
      return added({ table: 'exchangeTokens', token: exchangeToken, user: authInfo.user, session: authInfo.token });
    case 'embedded_storage.authenticate': {
      const used = held.find(({ table, token }) => table === 'exchangeTokens' && token === exchangeToken);
      if (!used?.session) return [];
      const session: HeldRow = { table: 'sessions', token: used.session, user: used.user };
      return [...removed((row) => row === used), ...added(session, { table: 'links', user: used.user })];
    }
    case 'embedded_storage.save_auth_info':
      return authInfo ? added({ table: 'sessions', token: authInfo.token, user: authInfo.user }) : [];
    case 'embedded_storage.remove_auth_info':
      return removed(
        ({ token, session }) => cred !== undefined && (token ?? '') !== '' && [token, session].includes(cred.token),
      );
    case 'embedded_storage.remove_authentication':
      return removed(({ user }) => user === cred?.user);
    default:
      return [];
  }
}

type Named = { user: string; token: string };

/** Reads the names of a masked request. A batch, or what is not JSON, names nothing. */
function namedIn(body: string): { exchangeToken?: string; authInfo?: Named; cred?: Named } {
  let call: unknown;
  try {
    call = JSON.parse(body);
  } catch {
    return {};
  }
  if (!isObject(call)) return {};
  const params = isObject(call.params) ? call.params : {};
  const authInfo = pairOf(params.authInfo);
  const cred = pairOf(call.cred);
  return {
    ...(typeof params.exchangeToken === 'string' && { exchangeToken: params.exchangeToken }),
    ...(authInfo && { authInfo }),
    ...(cred && { cred }),
  };
}

function pairOf(value: unknown): Named | undefined {
  if (!isObject(value) || typeof value.user !== 'string' || typeof value.token !== 'string') return undefined;
  return { user: value.user, token: value.token };
}

function keyOf({ table, token, user }: HeldRow): string {
  return `${table} ${token ?? user}`;
}
