/** Calls the EHR server over the internal channel, with one connection per call. */
import { createHash } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { gunzipSync } from 'node:zlib';
import { deadline } from '../deadline.mjs';

const MAX_REPLY_BYTES = 64 * 1024;

/** There was no reply, or none that answers the call. `said` is what came. */
export class EhrTrouble extends Error {
  constructor(problem, { cause, said } = {}) {
    super(problem, { cause });
    this.said = said;
  }
}

export class EhrCaller {
  #settings;
  #endpoint;
  #calls = 0;
  #closing = new AbortController();
  #turns = 0;
  #lines = [Promise.resolve(), Promise.resolve()];
  #line = Promise.resolve();
  /** Used by faults only. */
  lastCred;

  constructor(settings) {
    this.#settings = settings;
    this.#endpoint = `${settings.ehrUrl.replace(/\/+$/, '')}/${settings.apiVersion}/`;
  }

  /** Aborts the calls under way. */
  close() {
    this.#closing.abort(new Error('The server stops.'));
  }

  /**
   * Calls a method. Resolves to the error of the EHR server, or to undefined when it executed the call.
   * @throws EhrTrouble when it is unknown whether it did
   */
  async call(method, params, secret, { hangs = false, cred } = {}) {
    const { fault } = this.#settings;
    const send = () => this.#call(method, params, secret, { hangs, cred });
    if (fault('two-ehr-calls-at-a-time')) {
      const line = this.#turns++ % 2;
      const turn = this.#lines[line].then(send);
      this.#lines[line] = turn.catch(() => undefined);
      return turn;
    }
    if (!fault('one-ehr-call-at-a-time')) return send();
    const turn = this.#line.then(send);
    this.#line = turn.catch(() => undefined);
    return turn;
  }

  async #call(method, params, secret, { hangs, cred }) {
    const { fault, ehrUser, ehrPassword, ehrTimeoutMs } = this.#settings;
    const id = ++this.#calls;
    const hash = createHash('sha1');
    if (fault('secret-before-password')) hash.update(secret, 'utf8').update(ehrPassword, 'utf8');
    else hash.update(ehrPassword, 'utf8').update(secret, 'utf8');
    const digest = hash.digest('hex');
    this.lastCred = { user: ehrUser, token: fault('digest-upper-case') ? digest.toUpperCase() : digest };
    const call = { jsonrpc: '2.0', id, method, params, cred: cred ?? this.lastCred };
    if (fault('cred-missing')) delete call.cred;
    if (fault('params-as-list')) call.params = Object.values(params);
    const limit = deadline(this.#closing.signal, hangs ? undefined : ehrTimeoutMs);
    try {
      for (let sent = 1; ; sent++) {
        try {
          return outcomeOf(await this.#exchange(this.#endpoint, call, limit.signal), id, fault);
        } catch (error) {
          if (!fault('retries-pile-up') || sent === 30) throw error;
        }
      }
    } finally {
      limit.end();
    }
  }

  async #exchange(url, call, signal) {
    const { fault, ehrPassword, ehrTls: tls } = this.#settings;
    const headers = { accept: 'application/json', 'accept-encoding': 'gzip' };
    if (fault('password-in-header')) headers['x-internal'] = encodeURIComponent(ehrPassword);
    const firstPartOnly = fault('first-part-only');
    const answer = await post(url, JSON.stringify(call), { headers, signal, firstPartOnly, tls }).catch((cause) => {
      throw new EhrTrouble('There is no reply.', { cause, said: String(cause) });
    });
    const isMoved = answer.status > 300 && answer.status < 400 && answer.headers.location;
    if (isMoved && fault('follows-redirects'))
      return this.#exchange(new URL(answer.headers.location, url), call, signal);
    if (answer.status !== 200) throw new EhrTrouble(`HTTP ${answer.status}`, { said: answer.body.toString('utf8') });
    if (answer.headers['content-encoding'] !== 'gzip' || fault('gzip-not-understood'))
      return answer.body.toString('utf8');
    try {
      return gunzipSync(answer.body, { maxOutputLength: MAX_REPLY_BYTES }).toString('utf8');
    } catch (cause) {
      throw new EhrTrouble('The reply cannot be unpacked.', { cause });
    }
  }
}

/**
 * The error in a reply, or undefined for a success. A reply that is neither or both is no acknowledgement.
 */
function outcomeOf(text, id, fault) {
  const isNo = (problem) => new EhrTrouble(problem, { said: text });
  let reply;
  try {
    reply = JSON.parse(text);
  } catch (cause) {
    throw new EhrTrouble('The reply is not JSON.', { cause, said: text });
  }
  if (fault('array-accepted') && Array.isArray(reply)) return undefined;
  if (!isObject(reply) || reply.jsonrpc !== '2.0') throw isNo('The reply is no JSON-RPC object.');
  if (isAmbiguous(text) && !fault('doubled-members-accepted')) throw isNo('The reply has a member twice.');
  if (String(reply.id) !== String(id) && !fault('id-not-compared')) throw isNo('The reply answers another call.');
  if (fault('error-text-accepted') && typeof reply.error === 'string') return undefined;
  if (Object.hasOwn(reply, 'result') === Object.hasOwn(reply, 'error'))
    throw isNo('It is not one of result and error.');
  if (fault('null-result-accepted') && reply.result === null) return undefined;
  if (isObject(reply.result)) return undefined;
  if (!Number.isInteger(reply.error?.code)) throw isNo('The error has no code.');
  return { code: reply.error.code, said: text };
}

/** Whether the outermost object has a member twice, so that two readers could differ. */
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
  const answer = await post(url, JSON.stringify(value), { headers: {}, signal }).catch(() => ({ status: 0 }));
  return answer.status >= 200 && answer.status < 300;
}

/** Sends one POST, whose whole answer must arrive before the signal. Does not follow redirects. */
function post(url, text, { headers, signal, firstPartOnly, tls }) {
  return new Promise((resolve, reject) => {
    const send = new URL(url).protocol === 'https:' ? httpsRequest : httpRequest;
    const sent = send(url, {
      ...tls,
      method: 'POST',
      agent: false,
      signal,
      headers: { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) },
    });
    sent.on('error', reject);
    sent.on('response', (response) => {
      const { statusCode: status, headers: answered } = response;
      const parts = [];
      let size = 0;
      const done = () => resolve({ status, headers: answered, body: Buffer.concat(parts) });
      response.on('data', (part) => {
        size += part.length;
        parts.push(part);
        if (size > MAX_REPLY_BYTES) sent.destroy(new Error('The answer is too large.'));
        if (firstPartOnly) done();
      });
      response.on('error', reject);
      response.on('end', done);
    });
    sent.end(text);
  });
}
