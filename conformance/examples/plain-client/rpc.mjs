/** Calls a method of either server, and turns whatever comes back into a result or a refusal (§2.1). */

const REPLY_TIMEOUT_MS = 4_000;
let lastId = 0;

/** Why there is no result: the number of the server's error, or a word of this client. */
export class Refused extends Error {
  constructor(code) {
    super(String(code));
    this.code = code;
  }
}

/** @param {{ user: string, token: string }} [session] whose credentials go along (§5.4) */
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

async function post(url, call) {
  const headers = { 'content-type': 'application/json' };
  const signal = AbortSignal.timeout(REPLY_TIMEOUT_MS);
  // What a call carries is for this server, and for no other that it may point to.
  const response = await fetch(url, {
    method: 'POST',
    headers,
    body: JSON.stringify(call),
    redirect: 'error',
    signal,
  });
  return response.ok ? response.json() : undefined;
}
