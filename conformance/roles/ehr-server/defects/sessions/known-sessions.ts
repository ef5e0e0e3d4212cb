/** What a wrong server remembers of sessions and exchange tokens, as the calls announce them. */
import {
  type Answer,
  AUTHENTICATE,
  authInfoOf,
  credOf,
  isDone,
  membersOf,
  paramsOf,
  SAVE,
  SAVE_EXCHANGE_TOKEN,
  type WireCall,
  type WireReply,
} from '../messages/messages.ts';

export type Pair = { user: string; token: string };

export class KnownSessions {
  /** Sessions that were announced or saved, in order. */
  readonly pairs: Pair[] = [];
  /** The session of each exchange token that was saved. */
  readonly pending = new Map<string, Pair>();
  /** The exchange tokens that were used. */
  readonly used = new Set<string>();
  /** The newest reply with a record, by user. */
  readonly results = new Map<string, unknown>();

  /** Notes what a call that the right server answered tells. */
  note(call: WireCall, reply: WireReply): void {
    if (!isDone(reply)) return;
    const { user, token } = authInfoOf(call);
    const exchangeToken = String(paramsOf(call).exchangeToken);
    if (call.method === SAVE || call.method === SAVE_EXCHANGE_TOKEN) {
      const pair = { user: String(user), token: String(token) };
      this.pairs.push(pair);
      if (call.method === SAVE_EXCHANGE_TOKEN) this.pending.set(exchangeToken, pair);
    }
    const reader = call.method === AUTHENTICATE ? this.pending.get(exchangeToken)?.user : String(credOf(call).user);
    if (call.method === AUTHENTICATE) this.used.add(exchangeToken);
    if (reader !== undefined && 'patient' in membersOf(reply?.result)) this.results.set(reader, reply?.result);
  }

  of(user: unknown): string[] {
    return this.pairs.filter((pair) => pair.user === user).map(({ token }) => token);
  }
}

/** Answers single calls by a server that remembers sessions. */
export function remembering(answer: (known: KnownSessions) => Answer): () => Answer {
  return () => {
    const known = new KnownSessions();
    const own = answer(known);
    return async (call, tools) => {
      const next: typeof tools.next = async (given = call) => {
        const reply = await tools.next(given);
        known.note(given, reply);
        return reply;
      };
      return own(call, { ...tools, next });
    };
  };
}
