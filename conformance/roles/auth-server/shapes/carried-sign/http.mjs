/**
 * The HTTP side of this authorization server: the JSON-RPC calls of clients, and the test control, by which
 * the kit moves the server's clock and removes a correspondence entry.
 */
import { createServer } from 'node:http';
import { RpcFault } from './rpc-fault.mjs';

const MAX_BODY_BYTES = 16 * 1024;

/**
 * Listens on the loopback interface; port 0 is a free one. `answer` computes status and body of a request.
 * The options of the last parameter change what is sent, and are for variants of the self-test.
 */
export async function listen(port, answer, settings = {}) {
  const { answer: change, print = JSON.stringify, beforeAnswer, fault = () => false } = settings;
  const server = createServer((request, response) => {
    answer(request)
      .catch(() => ({ status: 500, body: { error: 'internal' } }))
      .then(async ({ status, body }) => {
        await beforeAnswer?.();
        const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
        if (fault('answers-without-type')) delete headers['content-type'];
        const { authInfo, exchangeToken } = body?.result ?? {};
        if (fault('session-in-location') && authInfo) headers.location = `/#session=${authInfo.token}`;
        if (fault('exchange-token-in-header') && exchangeToken) headers.refresh = `0; url=/${exchangeToken}`;
        const given = { status, headers, body };
        const answered = change?.(given) ?? given;
        response.writeHead(answered.status, answered.headers).end(print(answered.body));
      });
  });
  await new Promise((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  return server;
}

/** Answers every call with HTTP 200; only a body that is no call gets another status. */
export async function rpcAnswer(auth, request) {
  const path = (request.url ?? '').replace(/\?.*$/s, '');
  if (path !== '/') return { status: 404, body: { error: 'not_found' } };
  if (request.method !== 'POST') return { status: 405, body: { error: 'method_not_allowed' } };
  const type = (request.headers['content-type'] ?? '').split(';')[0].trim().toLowerCase();
  if (type !== 'application/json' && !auth.settings.fault('text-plain-accepted'))
    return { status: 415, body: { error: 'unsupported_media_type' } };
  const text = await bodyOf(request);
  if (text === undefined) return { status: 413, body: { error: 'too_large' } };
  const { fault } = auth.settings;
  const isBroken =
    (fault('broken-body-is-internal') && !isJson(text)) ||
    (fault('letters-are-internal') && /[^\0-\x7f]/.test(text)) ||
    (fault('bytes-are-internal') && text.includes('\ufffd')) ||
    (fault('half-character-is-internal') && HALF_CHARACTER.test(text));
  if (isBroken) return { status: 500, body: { error: 'internal' } };
  return { status: 200, body: await callAnswer(auth, text) };
}

async function callAnswer(auth, text) {
  let id = null;
  try {
    const call = parsed(text);
    if (['string', 'number'].includes(typeof call?.id)) id = call.id;
    return { jsonrpc: '2.0', result: await auth.execute(call), id };
  } catch (error) {
    const { code, message, detail } =
      error instanceof RpcFault ? error : new RpcFault('internal_error', INTERNAL);
    const config = auth.settings.fault('password-in-error') ? auth.settings : undefined;
    return { jsonrpc: '2.0', error: { code, message, data: { reason: message, detail, config } }, id };
  } finally {
    auth.memory.save();
  }
}

const INTERNAL = { code: -32603 };

/** Half of a character in UTF-16, as a JSON escape. Right clients send no such escapes. */
const HALF_CHARACTER = /\\ud[89a-f][0-9a-f]{2}/i;

function isJson(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new RpcFault('parse_error', { code: -32700, cause });
  }
}

/**
 * Answers the test control: `POST /clock {"advance": milliseconds}` moves the clock forward, and
 * `DELETE /correspondence/PHONE` removes the internal id of the phone's user.
 */
export async function controlAnswer(memory, request) {
  const text = await bodyOf(request);
  const [, phone] = /^\/correspondence\/(\d+)$/.exec(request.url ?? '') ?? [];
  const user = memory.users.get(phone);
  if (request.method === 'POST' && request.url === '/clock')
    memory.ahead += Math.max(0, JSON.parse(text).advance);
  else if (request.method === 'DELETE' && user) user.internal = undefined;
  else return { status: 404, body: { error: 'not_found' } };
  memory.save();
  return { status: 200, body: {} };
}

/** The whole body as text; undefined when it is too large. */
async function bodyOf(request) {
  const parts = [];
  let size = 0;
  for await (const part of request.iterator({ destroyOnReturn: false })) {
    size += part.length;
    if (size > MAX_BODY_BYTES) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
