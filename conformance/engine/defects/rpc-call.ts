/** Calls and replies of JSON-RPC as they stand on the wire, where every member may be missing or odd. */
import { isObject } from '#protocol/wire/envelope.ts';
import { type Reason, RpcError } from '#protocol/wire/errors.ts';
import { tryJson } from '#protocol/wire/json.ts';

export type Members = Record<string, unknown>;

/** A call as it came. Its members are what a caller may have sent. */
export type RpcCall = Members & { method: string };

/** A reply; null where nothing is answered. */
export type RpcReply = Members | null;

/** Read a single call. Undefined: the text is a batch, or no call at all. */
export function callIn(text: string): RpcCall | undefined {
  const value = tryJson(text)?.value;
  return isObject(value) && typeof value.method === 'string' ? (value as RpcCall) : undefined;
}

/** Return the members of an object. What is no object has none. */
export function membersOf(value: unknown): Members {
  return isObject(value) ? value : {};
}

/** The call with other members among its params. */
export function withParams(call: RpcCall, params: Members): RpcCall {
  return { ...call, params: { ...membersOf(call.params), ...params } };
}

/** The call with other members in its authInfo. */
export function withAuthInfo(call: RpcCall, authInfo: Members): RpcCall {
  return withParams(call, { authInfo: { ...membersOf(membersOf(call.params).authInfo), ...authInfo } });
}

/** The call with other members in its cred. */
export function withCred(call: RpcCall, cred: Members): RpcCall {
  return { ...call, cred: { ...membersOf(call.cred), ...cred } };
}

export function isDone(reply: RpcReply): boolean {
  return reply !== null && 'result' in reply;
}

/** The stable name of a refusal. Undefined: the reply is no refusal. */
export function reasonOf(reply: RpcReply): unknown {
  return membersOf(membersOf(reply?.error).data).reason;
}

/** A success. The operators add the envelope of the call. */
export function yes(result: unknown = {}): Members {
  return { result };
}

/** A refusal. The operators add the envelope of the call. */
export function no(reason: Reason): Members {
  return { error: new RpcError(reason).toObject() };
}

/** The answer as a reply with this id. Members of the answer win over those of the envelope. */
export function inEnvelope(answer: RpcReply, id: unknown): RpcReply {
  return answer && { jsonrpc: '2.0', id, ...answer };
}

/** The id of the reply to a call, as text. */
export function replyIdOf({ id }: RpcCall): string | null {
  return id === undefined || id === null ? null : String(id);
}
