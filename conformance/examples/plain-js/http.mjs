/** HTTP: what is read from outside, what is posted, and how a request is refused. */
import { request as httpRequest } from 'node:http';

const MAX_BODY_BYTES = 16 * 1024;

/** Answered to the client instead of a success. */
export class Refusal extends Error {
  constructor(problem, { status, cause }) {
    super(problem, { cause });
    this.status = status;
  }
}

/** Posts a JSON text. The whole answer must arrive within `timeout` ms. Does not follow redirects. */
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
