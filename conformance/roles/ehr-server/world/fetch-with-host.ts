/**
 * A fetch that sends the Host header of the caller. The fetch of Node sends the host of the address instead.
 * The kit needs it to pretend, on the public endpoint of an EHR server, that a call came to the internal one.
 */
import { request as plain } from 'node:http';
import { request as secure } from 'node:https';

/** Sends one request whose body is a text. Follows no redirect. */
export const fetchWithHost = async (
  address: string | URL | Request,
  { method = 'POST', headers = {}, body, signal }: RequestInit = {},
): Promise<Response> => {
  const url = new URL(String(address));
  // `send` gives the headers as a list of pairs; RequestInit allows other forms too.
  const request = (url.protocol === 'https:' ? secure : plain)(url, {
    method,
    headers: Object.fromEntries(headers as [string, string][]),
    ...(signal && { signal }),
  });
  return new Promise((resolve, reject) => {
    request.once('error', reject);
    request.once('response', (message) => {
      const chunks: Buffer[] = [];
      message.on('data', (chunk: Buffer) => chunks.push(chunk));
      message.once('error', reject);
      message.once('end', () => {
        const { statusCode: status = 500 } = message;
        // Response throws at a body with status 204.
        const kept = Object.entries(message.headersDistinct).flatMap(([name, values = []]) =>
          values.map((value): [string, string] => [name, value]),
        );
        resolve(new Response(status === 204 ? null : Buffer.concat(chunks), { status, headers: kept }));
      });
    });
    request.end(body);
  });
};
