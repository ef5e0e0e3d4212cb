/** Calls a method of either server, and turns whatever comes back into a result or a refusal (§2.1). */

const REPLY_TIMEOUT_MS = 4_000;
let lastId = 0;

/** A server refused a call, or gave no answer that can be understood. */
export class Refused extends Error {
  constructor({ code, reason, details = [] }, options) {
    super(reason, options);
    Object.assign(this, { code, reason, details });
  }
}

/**
 * @param {string} url endpoint of the server
 * @param {string} method
 * @param {object} params
 * @param {{ user: string, token: string }} [session] whose credentials go along (§5.4)
 */
export async function call(url, method, params, session) {
  lastId += 1;
  const cred = session && { user: session.user, token: session.token };
  const reply = await post(url, { jsonrpc: '2.0', id: lastId, method, params, ...(cred && { cred }) });
  const { error, result } = reply ?? {};
  // The number says what happened; the reason, where the server gives one, says it more exactly.
  if (error) throw new Refused({ code: error.code, reason: error.data?.reason, details: error.data?.errors });
  // §4 shows the id of a reply as a string.
  if (!result || String(reply.id) !== String(lastId)) throw new Refused({ reason: 'no_answer' });
  return result;
}

async function post(url, request) {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
      // What a request carries is for this server, and for no other that it may point to.
      redirect: 'error',
      signal: AbortSignal.timeout(REPLY_TIMEOUT_MS),
    });
    if (response.ok) return await response.json();
  } catch (cause) {
    throw new Refused({ reason: 'no_answer' }, { cause });
  }
  throw new Refused({ reason: 'no_answer' });
}
