/** What a party saw, and what it noted. All defects of a party read this one ledger. */
import { isDone, type Members, type RpcCall, type RpcReply } from './rpc-call.ts';

export type UserSession = { user: string; token: string };

/** A call with the reply of the right party. */
export type SeenCall = { readonly call: RpcCall; readonly reply: RpcReply };

/** What one call with its reply tells. Roles differ in where it stands. */
export type Told = {
  /** A session that was announced, saved or given out. */
  session?: UserSession | undefined;
  /** An exchange token of this session. */
  exchangeToken?: string | undefined;
  /** An exchange token that was used up. */
  used?: string | undefined;
  /** The result that shows the link of a user. */
  link?: { user: string; result: Members } | undefined;
};

/** Reads what a call tells that was done. */
export type Reading = (call: RpcCall, reply: Members, ledger: Ledger) => Told;

export class Ledger {
  /** All single calls in order, refused ones included. */
  readonly calls: SeenCall[] = [];
  /** Each save or announcement of a session, in order. A session that was saved twice stands here twice. */
  readonly sessions: UserSession[] = [];
  /** The session of each exchange token. */
  readonly exchangeTokens = new Map<string, UserSession>();
  /** The exchange tokens that were used up. */
  readonly used = new Set<string>();
  /** The newest result that shows the link of a user. */
  readonly links = new Map<string, Members>();
  readonly #read: Reading;
  readonly #notes = new Map<string, Map<unknown, unknown>>();

  constructor(read: Reading = () => ({})) {
    this.#read = read;
  }

  /** Note a call with the reply of the right party. */
  see(call: RpcCall, reply: RpcReply): void {
    this.calls.push({ call, reply });
    if (reply === null || !isDone(reply)) return;
    const { session, exchangeToken, used, link } = this.#read(call, reply, this);
    if (session) this.sessions.push(session);
    if (session && exchangeToken !== undefined) this.exchangeTokens.set(exchangeToken, session);
    if (used !== undefined) this.used.add(used);
    if (link) this.links.set(link.user, link.result);
  }

  /** The session tokens of a user, in order. */
  tokensOf(user: unknown): string[] {
    return this.sessions.filter((session) => session.user === user).map(({ token }) => token);
  }

  /** The session tokens that exchange tokens announced. */
  announced(): string[] {
    return [...this.exchangeTokens.values()].map(({ token }) => token);
  }

  /** What a wrong party notes by itself under this name. */
  notes<Value = true>(name: string): Map<unknown, Value> {
    const known = this.#notes.get(name) ?? new Map();
    this.#notes.set(name, known);
    return known as Map<unknown, Value>;
  }

  /** Count one more of what is named, and return how many there are. */
  count(name: string, key: unknown = ''): number {
    const counts = this.notes<number>(name);
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count;
  }

  /** Forget the notes of this name. */
  forget(name: string): void {
    this.#notes.delete(name);
  }
}
