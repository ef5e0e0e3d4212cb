/**
 * The memory of a party with a defect: the calls that the party got, with their replies, and further notes.
 * A defect needs it to act wrongly at the right moment, such as when a token comes a second time.
 */
import { isDone, type Members, membersOf, type RpcCall, type RpcReply, reasonOf } from './rpc-call.ts';

export type UserSession = { user: string; token: string };

/** A call with the reply of the right party. A part that was sent as no object has no members here. */
export type SeenCall = {
  readonly method: string;
  readonly params: Members;
  readonly cred: Members;
  readonly authInfo: Members;
  readonly reply: RpcReply;
  readonly result: Members;
};

/** What one call with its reply shows. Where it stands in the messages is different for each role. */
export type ShownByCall = {
  session?: UserSession | undefined;
  exchangeToken?: string | undefined;
  /** An exchange token that the call used up. */
  used?: string | undefined;
  link?: { user: string; result: Members } | undefined;
};

/** Reads a call that was carried out. Each role has one such function. */
export type Reading = (seen: SeenCall, ledger: Ledger) => ShownByCall;

export class Ledger {
  /** All calls in order, refused ones included. Calls in a batch are not noted. */
  readonly calls: SeenCall[] = [];
  /** Each save or announcement of a session, in order. A session that was saved twice stands here twice. */
  readonly sessions: UserSession[] = [];
  /** Key: the exchange token. Value: its session. */
  readonly exchangeTokens = new Map<string, UserSession>();
  readonly used = new Set<string>();
  /** Key: the user. Value: the newest result that shows the link between this user and a patient. */
  readonly links = new Map<string, Members>();
  readonly #read: Reading;
  readonly #notes = new Map<string, Map<unknown, unknown>>();

  constructor(read: Reading = () => ({})) {
    this.#read = read;
  }

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

  done(method: string): SeenCall[] {
    return this.calls.filter((seen) => seen.method === method && isDone(seen.reply));
  }

  refused(method: string, reason: string): SeenCall[] {
    return this.calls.filter((seen) => seen.method === method && reasonOf(seen.reply) === reason);
  }

  tokensOf(user: unknown): string[] {
    return this.sessions.filter((session) => session.user === user).map(({ token }) => token);
  }

  isAnnounced(token: unknown): boolean {
    return [...this.exchangeTokens.values()].some((session) => session.token === token);
  }

  /** The notes that a defect keeps under this name, by a key of its choice. */
  notes<Value = true>(name: string): Map<unknown, Value> {
    const known = this.#notes.get(name) ?? new Map();
    this.#notes.set(name, known);
    return known as Map<unknown, Value>;
  }

  /** Note a value unless the key has one. Return the value that was noted first. */
  noteFirst<Value>(name: string, key: unknown, value: Value): Value {
    const notes = this.notes<Value>(name);
    const known = notes.get(key) ?? value;
    notes.set(key, known);
    return known;
  }

  /** Add one to a count, and return it: 1 at the first call. */
  countUp(name: string, key: unknown = ''): number {
    const counts = this.notes<number>(name);
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count;
  }

  forget(name: string): void {
    this.#notes.delete(name);
  }
}
