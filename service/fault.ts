/** Transport faults: what never reached JSON-RPC is answered with an HTTP status and a JSON body that says why (decision 2). */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

export type Fault = {
  status: 400 | 403 | 404 | 405 | 413 | 415 | 429 | 503;
  reason: string;
  message: string;
  [member: string]: unknown;
};

/** Answers with a transport fault. */
export function sendFault(response: ServerResponse, fault: Fault, headers: OutgoingHttpHeaders = {}): void {
  sendJson(response, fault.status, JSON.stringify({ error: fault }), headers);
}

/** Answers with a JSON text in one head and one body. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: string,
  headers: OutgoingHttpHeaders = {},
): void {
  response.writeHead(status, {
    ...headers,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  });
  response.end(body);
}
