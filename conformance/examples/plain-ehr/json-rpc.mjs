/** Reads the JSON-RPC 2.0 calls to the EHR server, and writes results and refusals (§2.1, §4, §7). */

/** Limits the calls in a batch. */
const MAX_BATCH = 100;
/** Limits the depth of objects and lists in each other. Calls of the interface need few. */
const MAX_NESTING = 32;
/** Limits a name, a token or another text in a call. */
const MAX_TEXT_CHARS = 512;

/**
 * Each refusal by its name, with code and message. Programs go by the name, since several refusals share a
 * code.
 */
const ERRORS = {
  parse_error: [-32700, 'The body is not JSON.'],
  invalid_request: [-32600, 'The message is not a JSON-RPC 2.0 request.'],
  method_not_found: [-32601, 'This server has no such method.'],
  invalid_params: [-32602, 'The parameters are not what this method takes.'],
  internal_error: [-32603, 'The server failed to carry out the call.'],
  not_authorized: [-33000, 'There is no such session, or the credentials are wrong.'],
  session_expired: [-33001, 'The session has expired.'],
  exchange_token_unknown: [-33000, 'The exchange token is not known, or was used already.'],
  exchange_token_expired: [-33001, 'The exchange token has expired.'],
  exchange_token_exhausted: [-33002, 'Too many attempts were made with this exchange token.'],
  too_many_failed_matches: [-33003, 'Too many attempts to identify a patient have failed. Try again later.'],
  access_forbidden: [-33403, 'This method is not served on this channel.'],
  patient_already_matched: [-34000, 'This user is matched to another patient.'],
  patient_not_matched: [-34001, 'The properties do not identify one patient.'],
  token_already_stored: [-34003, 'The session token is stored already.'],
  exchange_token_already_stored: [-34004, 'The exchange token is stored already.'],
  user_unknown: [-34007, 'The user has no entry in the correspondence table.'],
  patient_already_linked: [-34009, 'The patient is linked to another user.'],
};

/**
 * Is thrown to refuse a call. `reason` is a name in {@link ERRORS}; `sentence` says what is wrong with the
 * input, without quoting it.
 */
export class Refusal extends Error {
  constructor(reason, sentence) {
    super(reason);
    Object.assign(this, { reason, sentence });
  }
}

/** Refuses the call with `invalid_params`, unless its params are right. */
export function need(isRight, sentence) {
  if (!isRight) throw new Refusal('invalid_params', sentence);
}

export const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a value is a text that is not empty or too long, and has no control characters. */
export const isText = (value) =>
  typeof value === 'string' && value !== '' && value.length <= MAX_TEXT_CHARS && !/\p{Cc}/u.test(value);

/**
 * Returns the reply to a request body; `undefined` when the caller expects none.
 * @param execute carries out a call, and returns its result
 */
export function answer(body, execute) {
  const message = parse(body);
  if (message instanceof Refusal) return refused(null, message);
  if (!Array.isArray(message)) return answerCall(message, execute);
  if (message.length === 0 || message.length > MAX_BATCH)
    return refused(null, new Refusal('invalid_request'));
  const replies = message.map((each) => answerCall(each, execute)).filter((reply) => reply !== undefined);
  return replies.length > 0 ? replies : undefined;
}

function answerCall(message, execute) {
  // A call without an id is a notification: it is carried out, and gets no reply. A malformed call gets one,
  // so the id is null at first.
  let id = isId(message?.id) ? message.id : null;
  try {
    const call = readCall(message);
    id = message.id;
    const result = execute(call);
    return id === undefined ? undefined : { jsonrpc: '2.0', result, id: written(id) };
  } catch (error) {
    return id === undefined ? undefined : refused(id, error);
  }
}

function refused(id, error) {
  // A failure of the server itself: its cause stands in the log, never in a reply.
  if (!(error instanceof Refusal)) process.stderr.write(`${error.stack}\n`);
  const { reason = 'internal_error', sentence } = error;
  const data = sentence ? { reason, errors: [sentence] } : { reason };
  const [code, message] = ERRORS[reason];
  return { jsonrpc: '2.0', error: { code, message, data }, id: written(id) };
}

/** The id as replies have it: §4 shows a string. */
const written = (id) => (id === null ? null : String(id));

const isId = (id) => id === null || typeof id === 'string' || Number.isFinite(id);

/**
 * Checks the envelope of a call (§2.1). Ignores members that the interface does not have, such as `apiKey`.
 */
function readCall(message) {
  if (!isObject(message)) throw new Refusal('invalid_request', 'A call is an object.');
  const { jsonrpc, id, method, params = {}, cred } = message;
  const isRight = jsonrpc === '2.0' && (id === undefined || isId(id)) && isText(method);
  const isShaped =
    typeof params === 'object' && params !== null && ((cred ?? null) === null || isObject(cred));
  if (!isRight || !isShaped)
    throw new Refusal('invalid_request', 'jsonrpc, id, method, params or cred is wrong.');
  // Clients in use send an empty list for an empty object.
  return { method, params: Array.isArray(params) && params.length === 0 ? {} : params, cred };
}

/** Parses a body; returns a refusal when it is not JSON, or not I-JSON. */
function parse(body) {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    const message = JSON.parse(text);
    return isIJson(text)
      ? message
      : new Refusal('invalid_request', 'The body is not I-JSON, or nested too deeply.');
  } catch {
    return new Refusal('parse_error');
  }
}

/**
 * Whether every parser reads the same from a JSON text (RFC 7493, I-JSON): no object has a name twice, and no
 * text has half a surrogate pair. Also limits the nesting.
 */
function isIJson(text) {
  /** The names in each object that is open, the innermost last. `__proto__` is refused, too. */
  const namesAround = [];
  for (const [token, string, colon] of text.matchAll(/("[^"\\]*(?:\\.[^"\\]*)*")\s*(:?)|[{}[\]]/g)) {
    const value = string && JSON.parse(string);
    const names = namesAround.at(-1);
    if (token === '{' || token === '[') namesAround.push(new Set(['__proto__']));
    else if (token === '}' || token === ']') namesAround.pop();
    else if (!value.isWellFormed() || (colon && names.has(value))) return false;
    else if (colon) names.add(value);
    if (namesAround.length > MAX_NESTING) return false;
  }
  return true;
}
