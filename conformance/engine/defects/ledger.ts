/** What a party saw, and what it noted. All defects of a party read this one ledger. */
import { isDone, type Members, membersOf, type RpcCall, type RpcReply, reasonOf } from './rpc-call.ts';

export type UserSession = { user: string; token: string };

/** A call with the reply of the right party. What is no object has no members here. */
export type SeenCall = {
  readonly method: string;
  readonly params: Members;
  readonly cred: Members;
  readonly authInfo: Members;
  readonly reply: RpcReply;
  readonly result: Members;
};

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
export type Reading = (seen: SeenCall, ledger: Ledger) => Told;

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
    const params = membersOf(call.params);
    const { method } = call;
    const [cred, authInfo] = [membersOf(call.cred), membersOf(params.authInfo)];
    const seen = { method, params, cred, authInfo, reply, result: membersOf(reply?.result) };
    this.calls.push(seen);
    if (!isDone(reply)) return;
    const { session, exchangeToken, used, link } = this.#read(seen, this);
    if (session) this.sessions.push(session);
    if (session && exchangeToken !== undefined) this.exchangeTokens.set(exchangeToken, session);
    if (used !== undefined) this.used.add(used);
    if (link) this.links.set(link.user, link.result);
  }

  /** The calls of a method that were carried out. */
  done(method: string): SeenCall[] {
    return this.calls.filter((seen) => seen.method === method && isDone(seen.reply));
  }

  /** The calls of a method that were refused for this reason. */
  refused(method: string, reason: string): SeenCall[] {
    return this.calls.filter((seen) => seen.method === method && reasonOf(seen.reply) === reason);
  }

  /** The session tokens of a user, in order. */
  tokensOf(user: unknown): string[] {
    return this.sessions.filter((session) => session.user === user).map(({ token }) => token);
  }

  /** Tell whether an exchange token announced the session of this token. */
  isAnnounced(token: unknown): boolean {
    return [...this.exchangeTokens.values()].some((session) => session.token === token);
  }

  /** What a wrong party notes by itself under this name. */
  notes<Value = true>(name: string): Map<unknown, Value> {
    const known = this.#notes.get(name) ?? new Map();
    this.#notes.set(name, known);
    return known as Map<unknown, Value>;
  }

  /** Note a value unless one is noted. Return the one that was noted first. */
  first<Value>(name: string, key: unknown, value: Value): Value {
    const notes = this.notes<Value>(name);
    const known = notes.get(key) ?? value;
    notes.set(key, known);
    return known;
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
