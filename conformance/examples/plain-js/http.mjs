/** The HTTP of the authorization server of `server.mjs`: reads bodies, posts JSON, and refuses requests. */
import { request as httpRequest } from 'node:http';

/** Limits the bodies of requests and answers. */
const MAX_BODY_BYTES = 16 * 1024;

/** Is thrown to refuse a request of the client, with an HTTP status. */
export class Refusal extends Error {
  constructor(problem, { status, cause }) {
    super(problem, { cause });
    this.status = status;
  }
}

/**
 * Posts a JSON text. The whole answer must arrive within `timeout` milliseconds. Does not follow redirects.
 */
export function post(url, text, headers, timeout) {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) },
      signal: AbortSignal.timeout(timeout),
    });
    sent.on('error', reject);
    sent.on('response', (response) => {
      read(response).then((answer) => resolve({ status: response.statusCode, text: answer }), reject);
    });
    sent.end(text);
  });
}

/**
 * Reads a whole body as text.
 * @throws Refusal when it is too large
 */
export async function read(stream) {
  const chunks = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new Refusal('too_large', { status: 413 });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
