/** JSON-RPC 2.0: reads calls, writes replies and refusals (§2.1, §4, §7). */

const MAX_BATCH = 100;
const MAX_NESTING = 32;
const MAX_TEXT_CHARS = 512;

/** Every refusal by its stable name. Programs switch on the name: several share a number. */
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

/** Thrown to refuse a call: one of the names above, and what is wrong with the input, without its value. */
export class Refusal extends Error {
  constructor(reason, sentence) {
    super(reason);
    Object.assign(this, { reason, sentence });
  }
}

/** Refuses a call whose params are not right. */
export function need(isRight, sentence) {
  if (!isRight) throw new Refusal('invalid_params', sentence);
}

export const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

export const isText = (value) =>
  typeof value === 'string' && value !== '' && value.length <= MAX_TEXT_CHARS && !/\p{Cc}/u.test(value);

/** Answers a request body; undefined when nobody waits for a reply. */
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
  // Without an id it is a notification: carried out, and not answered. Unless it is no request at all.
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
  // The cause of a failure is for the log alone.
  if (!(error instanceof Refusal)) process.stderr.write(`${error.stack}\n`);
  const { reason = 'internal_error', sentence } = error;
  const data = sentence ? { reason, errors: [sentence] } : { reason };
  const [code, message] = ERRORS[reason];
  return { jsonrpc: '2.0', error: { code, message, data }, id: written(id) };
}

/** §4 shows the id of a reply as a string. */
const written = (id) => (id === null ? null : String(id));

const isId = (id) => id === null || typeof id === 'string' || Number.isFinite(id);

/** Checks an envelope (§2.1). Members that nobody knows, such as `apiKey`, are ignored. */
function readCall(message) {
  if (!isObject(message)) throw new Refusal('invalid_request', 'A call is an object.');
  const { jsonrpc, id, method, params = {}, cred } = message;
  const isRight = jsonrpc === '2.0' && (id === undefined || isId(id)) && isText(method);
  const isShaped =
    typeof params === 'object' && params !== null && ((cred ?? null) === null || isObject(cred));
  if (!isRight || !isShaped)
    throw new Refusal('invalid_request', 'jsonrpc, id, method, params or cred is wrong.');
  // Clients of the field send an empty list for an empty object.
  return { method, params: Array.isArray(params) && params.length === 0 ? {} : params, cred };
}

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

/** Tells whether JSON means the same to every reader (RFC 7493): no name twice, no half of a character. */
function isIJson(text) {
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
