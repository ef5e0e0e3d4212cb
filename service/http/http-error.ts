/** HTTP errors: the status and JSON body for requests that never reach JSON-RPC (decision 2). */
import type { OutgoingHttpHeader, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { willBeCutOff } from './bodies/read-body.ts';

export type HttpError = {
  status: 400 | 403 | 404 | 405 | 413 | 415 | 429 | 501 | 503;
  reason: string;
  message: string;
  [member: string]: unknown;
};

/** Answer with an HTTP error. */
export function sendHttpError(
  response: ServerResponse,
  error: HttpError,
  headers: OutgoingHttpHeaders = {},
): void {
  const body = JSON.stringify({ error });
  if (!willBeCutOff(response.req)) {
    sendJson(response, error.status, body, headers);
    return;
  }
  writeJsonHead(response, error.status, body, { ...headers, Connection: 'close' });
  // The answer is complete but not ended: at its end Node would close the connection, and a caller that is
  // still sending would lose the answer.
  response.write(body);
}

/** Answer with a JSON text in one head and one body. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: string,
  headers: OutgoingHttpHeaders = {},
): void {
  writeJsonHead(response, status, body, headers);
  response.end(body);
}

function writeJsonHead(
  response: ServerResponse,
  status: number,
  body: string,
  headers: OutgoingHttpHeaders,
): void {
  // A list: merging header objects costs as much as parsing a call.
  const list: OutgoingHttpHeader[] = [];
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) list.push(name, value);
  }
  list.push('Content-Type', 'application/json; charset=utf-8', 'Content-Length', Buffer.byteLength(body));
  list.push('Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff');
  response.writeHead(status, list);
}
