/**
 * Calls a method of the EHR server or the authorization server. The answer becomes a result or an error
 * (§2.1).
 */
import http from 'node:http';
import https from 'node:https';
import { text as readText } from 'node:stream/consumers';

/** Limits the time until the whole answer is there, on a busy machine too. */
const REPLY_TIMEOUT_MS = 10_000;
let lastId = 0;

/**
 * A call without a result. `code` is the number of the error of the server, or a word of this client: a key
 * in `texts.mjs`.
 */
export class Refused extends Error {
  constructor(code) {
    super(String(code));
    this.code = code;
  }
}

/**
 * Calls a method, and resolves to its result.
 * @param {{ user: string, token: string }} [session] the session that the call belongs to (§5.4)
 * @throws Refused when there is no result
 */
export async function call(url, method, params, session) {
  lastId += 1;
  const id = lastId;
  const cred = session && { user: session.user, token: session.token };
  const reply = await post(url, { jsonrpc: '2.0', id, method, params, cred }).catch(() => undefined);
  if (reply?.error) throw new Refused(reply.error.code);
  // §4 shows the id of a reply as a string.
  if (!reply?.result || String(reply.id) !== String(id)) throw new Refused('no_answer');
  return reply.result;
}

const TEXT_OR_BIG = /"(?:[^"\\]|\\.)*"?|-?\d{16,}(?![\d.eE])/g;
const digitsAsText = (found) => (found.startsWith('"') ? found : `"${found}"`);

/** Reads JSON. A number of many digits stays a text: JSON.parse would round it. */
export const readJson = (text) => JSON.parse(text.replace(TEXT_OR_BIG, digitsAsText));

/** Posts a call. Resolves to the JSON of the answer; to `undefined` when the HTTP status is no success. */
async function post(url, call) {
  const headers = { 'content-type': 'application/json' };
  const { status, text } = await wire.send({ url, headers, body: JSON.stringify(call) });
  return status >= 200 && status < 300 ? readJson(text) : undefined;
}

/**
 * Sends a body and reads the answer. It follows no redirect: the secrets in a call are for this server alone.
 * `fetch` would do the same, but a process that lives for a second starts three times slower with it.
 */
async function send({ url, headers, body }) {
  const { request } = url.startsWith('https:') ? https : http;
  const signal = AbortSignal.timeout(REPLY_TIMEOUT_MS);
  const answer = await new Promise((resolve, reject) => {
    request(url, { method: 'POST', headers, signal }, resolve).on('error', reject).end(body);
  });
  return { status: answer.statusCode, headers: answer.headers, text: await readText(answer) };
}

/** The self-test of the kit puts a faulty `send` in its place. */
export const wire = { send };
