/** A fetch that sends the Host header it is given, which the fetch of Node replaces by the address. */
import { request as plain } from 'node:http';
import { request as secure } from 'node:https';

/** Sends one request with a text as body. Follows no redirect. */
export const fetchWithHost = async (
  address: string | URL | Request,
  { method = 'POST', headers = {}, body, signal }: RequestInit = {},
): Promise<Response> => {
  const url = new URL(String(address));
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
        resolve(new Response(status === 204 ? null : Buffer.concat(chunks), { status }));
      });
    });
    request.end(body);
  });
};
