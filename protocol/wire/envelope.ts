/** The JSON-RPC 2.0 envelope of §2.1 with its `cred` member: reads and writes calls and replies. */
import { type ErrorObject, RpcError } from './errors.ts';
import { exactValue, readJson, tryJson, writeJson } from './json.ts';

/** A number beyond 2^53 is a bigint: it is echoed by its digits. */
export type Id = string | number | bigint | null;

/** One call as it was sent. `id` is undefined for a notification, which is executed and not answered. */
export type Call = {
  id: Id | undefined;
  method: string;
  params: Record<string, unknown> | unknown[];
  cred: Record<string, unknown> | undefined;
};

/** A message that is no call, and the id for its reply. */
export type Malformed = { id: Id; error: RpcError };

export type Incoming = { batch: boolean; calls: (Call | Malformed)[] };

/** The type of the id in a reply: `string` as the interface shows it, or `echo` for the type of the call. */
export type ReplyId = 'string' | 'echo';

/** A result that is JSON text already and is copied into its reply. Its creator must make sure of that. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Reply = { id: Id } & ({ result: unknown } | { error: ErrorObject });

/** The most calls in a batch. */
export const MAX_BATCH = 100;

const MAX_ID_CHARS = 256;
const MAX_METHOD_CHARS = 256;

export function isMalformed(call: Call | Malformed): call is Malformed {
  return 'error' in call;
}

/**
 * Read a request body: one call, or a batch of at most {@link MAX_BATCH}.
 * @throws RpcError `parse_error` or `invalid_request` when the body as a whole cannot be read; a malformed
 *   call inside a batch does not throw: it is returned in its place.
 */
export function readCalls(text: string): Incoming {
  const value = readJson(text);
  const exact = exactValue(text, value);
  if (!Array.isArray(value)) return { batch: false, calls: [readCall(value, exact)] };
  if (value.length === 0)
    throw new RpcError('invalid_request', { errors: ['A batch must carry at least one call.'] });
  if (value.length > MAX_BATCH) {
    throw new RpcError('invalid_request', { errors: [`A batch may carry at most ${MAX_BATCH} calls.`] });
  }
  return { batch: true, calls: value.map((call, index) => readCall(call, (exact as unknown[])[index])) };
}

/** Write the reply to one call. An `id` of null stays null under either rule. */
export function replyText(reply: Reply, replyId: ReplyId): string {
  const id = writeJson(replyId === 'string' && reply.id !== null ? String(reply.id) : reply.id);
  if ('error' in reply) return `{"jsonrpc":"2.0","error":${JSON.stringify(reply.error)},"id":${id}}`;
  const { result } = reply;
  const text = result instanceof JsonText ? result.text : JSON.stringify(result);
  return `{"jsonrpc":"2.0","result":${text},"id":${id}}`;
}

/**
 * Write a call as a client or an authorization server sends it.
 * @example callText({ id: 1, method: 'patient.get_patient', cred: { user, token } })
 */
export function callText(call: {
  id?: Id | undefined;
  method: string;
  params?: unknown;
  cred?: { user: string; token: string } | undefined;
}): string {
  const { id, method, params = {}, cred } = call;
  return writeJson({ jsonrpc: '2.0', id, method, params, cred });
}

/**
 * Read the reply to one call, as its caller. The id may come back as a number or as a string. In an error it
 * may be null: then the other side could not tell which call it was.
 * @throws TypeError when the text is no JSON-RPC reply to the call `id`
 */
export function readReply(
  text: string,
  id: Id,
): { result: unknown } | { error: { code: number; message: string; data?: unknown } } {
  const parsed = tryJson(text);
  if (!parsed) throw new TypeError('The reply is not JSON.');
  const reply = parsed.value;
  if (!isObject(reply) || reply.jsonrpc !== '2.0')
    throw new TypeError('The reply is not a JSON-RPC 2.0 object.');
  // In JSON-RPC 1.0 the member that is not meant is null.
  const isResult = 'result' in reply && (reply.error ?? null) === null;
  if (!isResult && (!('error' in reply) || (reply.result ?? null) !== null))
    throw new TypeError('The reply must have either a result or an error.');
  const isUnnamed = reply.id === null && !isResult;
  if (!isUnnamed && !isSameId(reply.id, id)) throw new TypeError('The reply answers another call.');
  if (isResult) return { result: reply.result };
  const { error } = reply;
  if (!isObject(error) || !Number.isInteger(error.code) || typeof error.message !== 'string') {
    throw new TypeError('The error of the reply lacks its code or message.');
  }
  return { error: error as { code: number; message: string; data?: unknown } };
}

/** Whether the id of a reply belongs to this call. A number may come back as a string (decision 3). */
export function isSameId(replied: unknown, called: Id): boolean {
  if (called === null || replied === null) return replied === called;
  return isId(replied) && String(replied) === String(called);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The members of a value that ought to be an object; none where it is none. */
export function membersOf(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}

/** @param exact the same value with integers by their digits, for the id */
function readCall(value: unknown, exact: unknown): Call | Malformed {
  if (!isObject(value)) return malformed(null, 'A call must be an object.');
  const { jsonrpc, method, params, cred } = value;
  const { id } = exact as Record<string, unknown>;
  if (id !== undefined && !isId(id)) {
    return malformed(null, `id must be a string or a number of at most ${MAX_ID_CHARS} characters, or null.`);
  }
  const answerTo = id ?? null;
  if (jsonrpc !== '2.0') return malformed(answerTo, 'jsonrpc must be "2.0".');
  if (typeof method !== 'string' || method.length === 0 || method.length > MAX_METHOD_CHARS) {
    return malformed(answerTo, `method must be a string of 1 to ${MAX_METHOD_CHARS} characters.`);
  }
  if (params !== undefined && (typeof params !== 'object' || params === null)) {
    return malformed(answerTo, 'params must be an object.');
  }
  if (cred !== undefined && cred !== null && !isObject(cred))
    return malformed(answerTo, 'cred must be an object or null.');
  return { id, method, params: readParams(params), cred: cred ?? undefined };
}

/** Read the parameters. Absent params and an empty array mean no parameters. */
function readParams(params: object | undefined): Call['params'] {
  if (params === undefined || (Array.isArray(params) && params.length === 0)) return {};
  return params as Call['params'];
}

/** A number such as 1e999 is infinite here: it could not be echoed. */
function isId(id: unknown): id is Id {
  if (typeof id === 'string' || typeof id === 'bigint') return String(id).length <= MAX_ID_CHARS;
  return id === null || Number.isFinite(id);
}

function malformed(id: Id, sentence: string): Malformed {
  return { id, error: new RpcError('invalid_request', { errors: [sentence] }) };
}
