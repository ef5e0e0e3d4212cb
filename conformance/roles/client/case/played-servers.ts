/**
 * How the script of a case takes and answers the calls of a client: functions that are written into the
 * script.
 */
import { serverFunctions } from '../../../engine/case/text/server-functions.ts';
import { authFunctions } from './played-auth-server.ts';
import { changeFunctions } from './played-changes.ts';
import { ehrFunctions } from './played-ehr-server.ts';

const commonFunctions: Readonly<Record<string, string>> = {
  known: `
/** What the servers know: the codes by phone, users by phone, sessions and exchange tokens, links by user. */
const known = { codes: new Map(), users: new Map(), sessions: new Map(), tokens: new Map(), links: new Map(), reported: new Map() };`,
  now: `
const clock = { ahead: 0 };
const now = () => Date.now() + clock.ahead;`,
  issued: `
/** What the servers gave to the client, in order; during: the number of the step then. */
const issued = [];
/** What every new value ends with. */
let tail = '';`,
  draw: `
function draw(member, value = randomBytes(24).toString('base64url')) {
  issued.push({ during: calls.length, member, value: value + tail });
  return value + tail;
}`,
  given: `
/** The newest value of a member that the servers gave in a step, or one before it. */
function given(during, member, back = 0) {
  const found = issued.filter((each) => each.during === during && each.member === member).at(-1 - back);
  if (!found) throw new NotPlayed('the client got no ' + member + ' in "' + calls[during - 1] + '"');
  return found.value;
}`,
  refused: `
const refused = (code, reason) => ({ error: { code, message: reason, data: { reason } } });`,
  callsIn: `
/** All calls of the client in a step; to one server, where it is named. */
const callsIn = ({ number }, to) =>
  received.filter((each) => each.during === number && (to === undefined || each.to === to));`,
  has: `
/** Whether a call has a value in it, also as a hash or in base64. */
const has = ({ headers, path, json, body }, value) =>
  contains({ headers: Object.entries(headers), body: decoded(path) + body + JSON.stringify(json) }, value);`,
  decoded: `
function decoded(path) {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}`,
  settled: `
/** Waits until the client has finished its work in the background. */
async function settled() {
  for (let seen = -1; seen !== received.length; ) {
    seen = received.length;
    await pause(250);
  }
}`,
  serve: `
/** Takes a call of the client, and answers it. */
async function serve(to, request, response) {
  const text = await textOf(request).catch(() => '');
  const json = jsonOf(text);
  const method = typeof json?.method === 'string' ? json.method : 'no method';
  received.push({ during: calls.length, to, method, json, body: text, headers: request.headers, path: request.url, http: request.method });
  const how = troubles.find((each) => each.method === method && each.times > 0);
  if (how) how.times -= 1;
  if (how?.reset) return request.socket.resetAndDestroy();
  if (how?.silent) return;
  const { status = 200, headers, body } = answerTo(to, { request, json, method, how });
  if (how?.lost) return request.socket.destroy();
  await pause(how?.lateMs ?? 0);
  const type = body?.startsWith('{') || body?.startsWith('[') ? 'application/json' : 'text/plain';
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body ?? ''), ...headers });
  if (!how?.half) return response.end(body);
  response.write(body.slice(0, body.length / 2), () => response.destroy());
}`,
  answerTo: `
/** The answer to a call, as it goes to the client. */
function answerTo(to, { request, json, method, how = {} }) {
  if (how.status !== undefined) return how;
  const { id } = json ?? {};
  const own = { jsonrpc: '2.0', id: id === undefined || id === null ? null : String(id) };
  if (how.reply) return { body: JSON.stringify({ ...own, ...how.reply }) };
  if (how.replayed) {
    const former = earlier.get(method);
    if (!former) return { status: 500, body: 'Internal Server Error' };
    return { body: JSON.stringify({ ...former, id: former.id === own.id ? 'an-id-of-another-call' : former.id }) };
  }
  tail = how.tail ?? '';
  const right = rightAnswer(to, request, json);
  const reply = { ...own, ...right };
  if (json && id === undefined) return { status: 204 };
  if (reply.result && Object.keys(how).length === 0 && !earlier.has(method)) earlier.set(method, reply);
  const text = JSON.stringify(how.change ? how.change(reply, id) : reply);
  return { body: how.doubled ? text + text : text };
}`,
  earlier: `
/** The first right reply of each method. */
const earlier = new Map();`,
  rightAnswer: `
function rightAnswer(to, { method, url, headers }, json) {
  const isJson = method === 'POST' && headers['content-type']?.startsWith('application/json');
  const isCall = isJson && json?.jsonrpc === '2.0' && typeof json.method === 'string';
  if (!isCall || (to === 'ehr' && url !== PATH)) return refused(-32600, 'invalid_request');
  if (json.params !== undefined && Object.prototype.toString.call(json.params) !== '[object Object]')
    return refused(-32602, 'invalid_params');
  return to === 'auth' ? authAnswer(json) : ehrAnswer(json);
}`,
};

/** The servers, what they know, and what they got. */
export const playedFunctions = {
  ...serverFunctions,
  ...commonFunctions,
  ...authFunctions,
  ...ehrFunctions,
  ...changeFunctions,
};

/**
 * The function `open`: starts the servers, and one elsewhere, which no client may call.
 * @param opening a line for the person who opens the client; undefined: the script starts the client itself
 */
export const openText = (opening?: string) => `
/** The addresses of the servers. */
const urls = {};

async function open() {
  const elsewhere = (request, response) => {
    received.push({ during: calls.length, to: 'elsewhere', method: 'a call elsewhere', headers: request.headers, path: request.url });
    response.writeHead(404).end();
  };
  const servers = {
    auth: await listen((...call) => ${opening ? 'admit(...call) || ' : ''}serve('auth', ...call), AUTH_PORT),
    ehr: await listen((...call) => ${opening ? 'admit(...call) || ' : ''}serve('ehr', ...call), EHR_PORT),
    elsewhere: await listen(elsewhere, 0),
  };
  for (const [name, server] of Object.entries(servers)) urls[name] = 'http://127.0.0.1:' + server.address().port;
${opening === undefined ? '' : `  console.log(${opening});\n`}  return async () => {
    await end();
    closeAll(Object.values(servers));
  };
}`;
