/**
 * The servers that the script of a case plays for an authorization server: the EHR server that it calls, and
 * the SMS gateway, as functions that are written into the script.
 */

/** The EHR server, and the client's calls to it. */
export const ehrFunctions: Readonly<Record<string, string>> = {
  ehr: `
/** A call of the client to the EHR server, which this script is: no request is sent. */
function ehr(label, method, params, cred) {
  calls.push(label);
  const json = ehrAnswer({ method, params, cred });
  return { label, status: 200, headers: new Headers(), json, body: JSON.stringify(json) };
}

`,
  known: `
/** What the EHR server knows: the user_sign of each linked user, its sessions and its exchange tokens. */
const known = { signs: new Map(), sessions: new Map(), tokens: new Map(), opened: new Set() };`,
  ehrAnswer: `
/** The EHR server as far as the authorization server and its client see it: answers one JSON-RPC call. */
function ehrAnswer({ method, params = {}, cred = {} }) {
  const { exchangeToken, authInfo = {} } = params ?? {};
  const refused = (code, reason) => ({ error: { code, message: reason, data: { reason } } });
  const isRight = (secret) => PASSWORD === undefined || (cred?.user === USER && cred?.token === digest(secret));
  if (method === 'embedded_storage.save_exchange_token') {
    if (!isRight(exchangeToken)) return refused(-33000, 'not_authorized');
    if (known.tokens.has(exchangeToken)) return refused(-34004, 'exchange_token_already_stored');
    known.tokens.set(exchangeToken, authInfo);
    return { result: { id: String(known.tokens.size) } };
  }
  if (method === 'embedded_storage.save_auth_info') {
    if (!known.signs.has(authInfo.user)) return refused(-34007, 'user_unknown');
    if (!isRight(known.signs.get(authInfo.user))) return refused(-33000, 'not_authorized');
    // The session with which the user was linked is reported once.
    const isReport = known.opened.delete(authInfo.token);
    if (known.sessions.has(authInfo.token) && !isReport) return refused(-34003, 'token_already_stored');
    known.sessions.set(authInfo.token, authInfo.user);
    return { result: { id: String(known.sessions.size) } };
  }
  if (method === 'embedded_storage.authenticate') {
    const { user, token } = known.tokens.get(exchangeToken) ?? {};
    if (user === undefined) return refused(-33000, 'exchange_token_unknown');
    known.tokens.delete(exchangeToken);
    if (!known.signs.has(user)) known.signs.set(user, signOf(params.signBytes ?? 32));
    known.sessions.set(token, user);
    known.opened.add(token);
    return { result: { patient: {}, user_sign: known.signs.get(user), userSign: known.signs.get(user) } };
  }
  if (known.sessions.get(cred?.token) !== cred?.user) return refused(-33000, 'not_authorized');
  if (method === 'embedded_storage.remove_auth_info') known.sessions.delete(cred.token);
  if (method === 'embedded_storage.remove_authentication') {
    known.signs.delete(cred.user);
    for (const [token, user] of known.sessions) if (user === cred.user) known.sessions.delete(token);
  }
  return { result: {} };
}

`,
  signOf: `
/** Draws a user_sign that begins with - and has an _, as base64url may. */
function signOf(bytes) {
  for (;;) {
    const sign = randomBytes(bytes).toString('base64url');
    if (sign.startsWith('-') && sign.includes('_')) return sign;
  }
}`,
  disturbed: `
/** How the EHR server answers the next calls of a method, where that is not as it should. */
const disturbed = new Map();`,
  disturb: `
function disturb(method, ...how) {
  disturbed.set(method, [...(disturbed.get(method) ?? []), ...how]);
}`,
  settled: `
/** A server may call the EHR server after it has answered. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 150));`,
  serveEhr: `
/** Answers a request of the authorization server. */
async function serveEhr(request, response) {
  const text = await textOf(request);
  const json = jsonOf(text);
  const { method = 'no method', id = null } = json ?? {};
  const call = { during: calls.length, method, json, headers: request.headers, path: request.url, http: request.method };
  received.push(call);
  const how = disturbed.get(method)?.shift();
  if (how?.close) return request.socket.destroy();
  if (how?.silent) return;
  const right = how && !how.isRight ? {} : ehrAnswer(json ?? {});
  const usual = JSON.stringify({ jsonrpc: '2.0', ...right, id });
  if (how?.lost) return request.socket.destroy();
  await pause(how?.lateMs ?? 0);
  const body = how?.body?.replaceAll('"§id§"', JSON.stringify(id)).replaceAll('§id§', String(id)) ?? usual;
  if (how?.trickle) return drip(response);
  call.answeredAt = performance.now();
  response.writeHead(how?.status ?? 200, { 'content-type': 'application/json', ...(how?.packed && { 'content-encoding': 'gzip' }), ...how?.headers });
  if (how?.packed) return response.end(gzipSync(body));
  if (how?.padded) return response.end(' '.repeat(8 * 1024 * 1024) + body);
  if (how?.half) return response.write(body.slice(0, body.length / 2), () => response.destroy());
  if (how?.inParts) {
    response.write(body.slice(0, body.length / 2));
    await pause(50);
    return response.end(body.slice(body.length / 2));
  }
  response.end(body);
}`,
  drip: `
/** Answers by a blank now and then, and never to the end. */
async function drip(response) {
  for (response.writeHead(200); !response.destroyed; await pause(100)) response.write(' ');
}`,
  messages: `
/** The messages to each phone that were not looked at, and how many came in all. */
const messages = new Map();
const arrived = new Map();`,
  gateway: `
/** For which phones the SMS gateway fails, and how: it refuses, answers an error in a 200, or not at all. */
const gateway = new Map();`,
  serveSms: String.raw`
/** The SMS gateway: takes a message to a phone. */
async function serveSms(request, response) {
  const text = await textOf(request);
  const form = new URLSearchParams(text);
  const { to = form.get('To'), text: message = form.get('Body') } = jsonOf(text) ?? {};
  const phone = String(to).replace(/\D/g, '');
  const how = gateway.get(phone);
  if (how === 'silence') return;
  if (how !== undefined) {
    await pause(how === 'refuses' ? 300 : 0);
    response.writeHead(how === 'refuses' ? 500 : 200, { 'content-type': 'application/json' });
    return response.end(JSON.stringify({ error: { reason: 'not_sent', message: 'The operator is out of credit' } }));
  }
  messages.set(phone, [...(messages.get(phone) ?? []), String(message)]);
  arrived.set(phone, (arrived.get(phone) ?? 0) + 1);
  response.writeHead(form.has('To') ? 201 : 202, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ id: '1', sid: 'SM1', status: 'queued' }));
}`,
};

/** How many messages came to a phone, by the key of `otp` in the adapter file. */
export const messageFunctions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  sink: {
    messagesTo: `
/** How many messages came to a phone. */
const messagesTo = async (phone) => arrived.get(phone) ?? 0;`,
  },
  outbox: {
    messagesTo: `
/** How many messages came to a phone. */
const messagesTo = async (phone) => (await messagesIn(phone)).length;`,
    messagesIn: String.raw`
/** The messages to a phone in the list that the server offers. */
async function messagesIn(phone) {
  const reply = await fetch(OUTBOX.url.replace('PHONE', encodeURIComponent(phone)), { method: OUTBOX.method, headers: { accept: 'application/json' } });
  const list = at(jsonOf(await reply.text()), OUTBOX.list) ?? [];
  return OUTBOX.to === undefined ? list : list.filter((each) => String(at(each, OUTBOX.to)).replace(/\D/g, '') === phone);
}`,
  },
};

/** How the script learns the codes, by the key of `otp` in the adapter file. */
export const codeFunctions = {
  sink: `
/** The next code for a phone: the SMS gateway takes the messages. */
async function codeTo(phone) {
  for (let waited = 0; waited < 3_000; waited += 20) {
    const message = messages.get(phone)?.pop();
    messages.delete(phone);
    const match = message === undefined ? null : CODE.exec(message);
    if (match) return match[1] ?? match[0];
    await pause(20);
  }
  throw new NotPlayed('no code came to ' + phone + ': please have the server send its SMS to port ' + SMS_PORT + '.');
}`,
  outbox: `
/** The next code for a phone, from the list of messages that the server offers. */
const seen = new Map();
async function codeTo(phone) {
  for (let waited = 0; waited < 2_000; waited += 50) {
    const own = await messagesIn(phone);
    const newest = OUTBOX.newestFirst ? own[0] : own.at(-1);
    if (own.length > (seen.get(phone) ?? 0)) {
      seen.set(phone, own.length);
      if (OUTBOX.code !== undefined) return String(at(newest, OUTBOX.code));
      const match = CODE.exec(String(at(newest, OUTBOX.text)));
      return match?.[1] ?? match?.[0];
    }
    await pause(50);
  }
  throw new NotPlayed('no code came to ' + phone + ': the outbox of the server has none.');
}`,
  fixed: `
/** The code is always the same. */
async function codeTo() {
  if (process.env.CODE === undefined) throw new NotPlayed('CODE is not set: please set it to the code of the test server.');
  return process.env.CODE;
}`,
  ask: `
/** Asks for the code at the terminal. */
async function codeTo(phone) {
  if (!process.stdin.isTTY) throw new NotPlayed('the code to ' + phone + ' is asked on a terminal.');
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const code = await terminal.question('The code that came to ' + phone + ': ');
  terminal.close();
  return code.trim();
}`,
} as const;
