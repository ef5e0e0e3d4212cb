/**
 * Calls the EHR server for this authorization server (the internal channel between the two servers), each
 * call with a connection of its own. Sends SMS to the gateway as well.
 */
import { createHash } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { deadline } from '../deadline.mjs';

/** Limits a reply: right replies are far smaller, and a wrong one must not fill the memory. */
const MAX_REPLY_BYTES = 64 * 1024;

/** The EHR server gave no reply that answers the call. `said` is the text that came instead. */
export class EhrTrouble extends Error {
  constructor(problem, { cause, said } = {}) {
    super(problem, { cause });
    this.said = said;
  }
}

/** Calls methods of the EHR server with the internal user's digest. */
export class EhrCaller {
  #settings;
  #endpoint;
  #calls = 0;
  #closing = new AbortController();
  #send;
  /** The cred of the last call; only faults read it. */
  lastCred;

  constructor(settings) {
    this.#settings = settings;
    const send = overHttp(settings.ehrTls);
    this.#send = settings.sends?.(send) ?? send;
    this.#endpoint = `${settings.ehrUrl.replace(/\/+$/, '')}/${settings.apiVersion}/`;
  }

  /** Aborts the calls under way. */
  close() {
    this.#closing.abort(new Error('The server stops.'));
  }

  /**
   * Calls a method. Resolves to the error of the EHR server, or to undefined when it executed the call.
   * `secret` is what the digest covers besides the password; `cred` replaces the digest.
   * @throws EhrTrouble when it is unknown whether the EHR server executed the call
   */
  async call(method, params, secret, { cred } = {}) {
    const { ehrUser, ehrPassword, ehrTimeoutMs } = this.#settings;
    const id = ++this.#calls;
    const digest = createHash('sha1').update(`${ehrPassword}${secret}`, 'utf8').digest('hex');
    this.lastCred = { user: ehrUser, token: digest };
    const call = { jsonrpc: '2.0', id, method, params, cred: cred ?? this.lastCred };
    const limit = deadline(this.#closing.signal, ehrTimeoutMs);
    try {
      return outcomeOf(await this.#exchange(this.#endpoint, call, limit.signal), id);
    } finally {
      limit.end();
    }
  }

  async #exchange(url, call, signal) {
    const { fault } = this.#settings;
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json',
      'accept-encoding': 'gzip',
    };
    const request = { method: 'POST', headers, body: JSON.stringify(call), signal };
    const answer = await this.#send(url, request)
      .then(async (response) => ({ response, body: await bodyOf(response) }))
      .catch((cause) => {
        throw new EhrTrouble('There is no reply.', { cause, said: String(cause) });
      });
    const { status, headers: answered } = answer.response;
    const location = status > 300 && status < 400 ? answered.get('location') : null;
    if (location && fault('follows-redirects')) return this.#exchange(new URL(location, url), call, signal);
    if (status !== 200) throw new EhrTrouble(`HTTP ${status}`, { said: answer.body.toString('utf8') });
    if (answered.get('content-encoding') !== 'gzip' || fault('gzip-not-understood'))
      return answer.body.toString('utf8');
    try {
      return gunzipSync(answer.body, { maxOutputLength: MAX_REPLY_BYTES }).toString('utf8');
    } catch (cause) {
      throw new EhrTrouble('The reply cannot be unpacked.', { cause });
    }
  }
}

/**
 * The error in a reply, or undefined for a success. A reply with neither result nor error, or with both,
 * counts as no answer.
 */
function outcomeOf(text, id) {
  const isNo = (problem) => new EhrTrouble(problem, { said: text });
  let reply;
  try {
    reply = JSON.parse(text);
  } catch (cause) {
    throw new EhrTrouble('The reply is not JSON.', { cause, said: text });
  }
  if (!isObject(reply) || reply.jsonrpc !== '2.0') throw isNo('The reply is no JSON-RPC object.');
  if (isAmbiguous(text)) throw isNo('The reply has a member twice.');
  if (String(reply.id) !== String(id)) throw isNo('The reply answers another call.');
  if (Object.hasOwn(reply, 'result') === Object.hasOwn(reply, 'error'))
    throw isNo('It is not one of result and error.');
  if (isObject(reply.result)) return undefined;
  if (!Number.isInteger(reply.error?.code)) throw isNo('The error has no code.');
  return { code: reply.error.code, said: text };
}

/** Whether the outermost object has a member twice. Two JSON parsers could then read different values. */
function isAmbiguous(text) {
  const seen = new Set();
  let depth = 0;
  for (const [, name, bracket] of text.matchAll(/"((?:[^"\\]|\\.)*)"\s*:|"(?:[^"\\]|\\.)*"|([[\]{}])/g)) {
    if (bracket !== undefined) depth += bracket === '{' || bracket === '[' ? 1 : -1;
    if (name === undefined || depth !== 1) continue;
    if (seen.has(name)) return true;
    seen.add(name);
  }
  return false;
}

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Posts JSON to an SMS gateway. Returns whether it was accepted. */
export async function postJson(url, value, { ehrTimeoutMs }) {
  const signal = AbortSignal.timeout(ehrTimeoutMs);
  const headers = { 'content-type': 'application/json' };
  const answer = await overHttp()(url, { headers, body: JSON.stringify(value), signal }).catch(
    () => undefined,
  );
  await answer?.body?.cancel();
  return answer?.ok ?? false;
}

/**
 * The whole body of an answer.
 * @throws Error when it is larger than allowed
 */
async function bodyOf(response) {
  const parts = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.length;
    if (size > MAX_REPLY_BYTES) throw new Error('The answer is too large.');
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** Sends one POST with a connection of its own, and returns a `Response`. Does not follow redirects. */
function overHttp(tls) {
  return (url, { headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const send = new URL(url).protocol === 'https:' ? httpsRequest : httpRequest;
      const length = Buffer.byteLength(body);
      send(url, {
        ...tls,
        method: 'POST',
        agent: false,
        signal,
        headers: { ...headers, 'content-length': length },
      })
        .on('error', reject)
        .on('response', (answer) => {
          const status = answer.statusCode;
          const stream = status === 204 ? null : Readable.toWeb(answer);
          resolve(new Response(stream, { status, headers: answer.headers }));
        })
        .end(body);
    });
}
