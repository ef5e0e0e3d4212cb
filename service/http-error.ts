/** Transport faults: what never reached JSON-RPC is answered with an HTTP status and a JSON body that says why (decision 2). */
import type { OutgoingHttpHeader, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { willBeCutOff } from './read-body.ts';

export type HttpError = {
  status: 400 | 403 | 404 | 405 | 413 | 415 | 429 | 501 | 503;
  reason: string;
  message: string;
  [member: string]: unknown;
};

/** Answers with a transport fault. */
export function sendHttpError(response: ServerResponse, fault: HttpError, headers: OutgoingHttpHeaders = {}): void {
  const body = JSON.stringify({ error: fault });
  if (!willBeCutOff(response.req)) {
    sendJson(response, fault.status, body, headers);
    return;
  }
  writeJsonHead(response, fault.status, body, { ...headers, Connection: 'close' });
  // Whole, and not ended: Node would close the connection at its end, and the caller who still sends would lose it.
  response.write(body);
}

/** Answers with a JSON text in one head and one body. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: string,
  headers: OutgoingHttpHeaders = {},
): void {
  writeJsonHead(response, status, body, headers);
  response.end(body);
}

function writeJsonHead(response: ServerResponse, status: number, body: string, headers: OutgoingHttpHeaders): void {
  // A list, because merging objects and reading the result again costs as much as parsing a call.
  const list: OutgoingHttpHeader[] = [];
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) list.push(name, value);
  }
  list.push('Content-Type', 'application/json; charset=utf-8', 'Content-Length', Buffer.byteLength(body));
  list.push('Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff');
  response.writeHead(status, list);
}
