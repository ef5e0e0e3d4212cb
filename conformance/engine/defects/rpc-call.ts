/**
 * Reads and makes JSON-RPC calls and replies for parties with a defect. A caller may have sent anything, so
 * every member may be missing or of a wrong type.
 */
import { isObject, membersOf } from '#protocol/wire/envelope.ts';
import { type Reason, RpcError } from '#protocol/wire/errors.ts';
import { tryJson } from '#protocol/wire/json.ts';

export { membersOf };

export type Members = Record<string, unknown>;

/** A call as it came. Only its method is known to be a text. */
export type RpcCall = Members & { method: string };

/** A reply; null: the call gets no reply, such as a notification. */
export type RpcReply = Members | null;

/** Read the one call in a text. Undefined: the text is a batch, or no call at all. */
export function callIn(text: string): RpcCall | undefined {
  const value = tryJson(text)?.value;
  return isObject(value) && typeof value.method === 'string' ? (value as RpcCall) : undefined;
}

export function withParams(call: RpcCall, params: Members): RpcCall {
  return { ...call, params: { ...membersOf(call.params), ...params } };
}

export function withCred(call: RpcCall, cred: Members): RpcCall {
  return { ...call, cred: { ...membersOf(call.cred), ...cred } };
}

export function isDone(reply: RpcReply): boolean {
  return reply !== null && 'result' in reply;
}

export function reasonOf(reply: RpcReply): unknown {
  return membersOf(membersOf(reply?.error).data).reason;
}

export function yes(result: unknown = {}): Members {
  return { result };
}

export function no(reason: Reason): Members {
  return { error: new RpcError(reason).toObject() };
}

/** Make a reply with this id. Where the answer has `jsonrpc` or `id` itself, these stay. */
export function inEnvelope(answer: RpcReply, id: unknown): RpcReply {
  return answer && { jsonrpc: '2.0', id, ...answer };
}

/** Return the id of the reply to a call, as text; null if the call has none. */
export function replyIdOf({ id }: RpcCall): string | null {
  return id === undefined || id === null ? null : String(id);
}
