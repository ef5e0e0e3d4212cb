/** Sends calls to the EHR server over a new connection each, as some harmless authorization servers do. */
import { request as httpRequest } from 'node:http';

/** Makes a response with this status; one with status 204 must not have a body. */
export function responseOf(body: string | Buffer<ArrayBuffer>, status = 200): Response {
  return new Response(status === 204 ? null : body, { status });
}

/** Like `fetch`, over a new connection each. `chunked`: no Content-Length. */
export function ownConnection({ chunked = false }): typeof fetch {
  return (input, init) =>
    new Promise((resolve, reject) => {
      const body = String(init?.body);
      const headers = {
        ...(init?.headers as Record<string, string>),
        connection: 'close',
        ...(!chunked && { 'content-length': String(Buffer.byteLength(body)) }),
      };
      const outgoing = httpRequest(
        String(input),
        { method: 'POST', agent: false, headers, ...(init?.signal && { signal: init.signal }) },
        (reply) => {
          const chunks: Buffer[] = [];
          reply.on('data', (chunk: Buffer) => chunks.push(chunk));
          reply.on('end', () =>
            reply.complete
              ? resolve(responseOf(Buffer.concat(chunks), reply.statusCode))
              : reject(new TypeError('cut off')),
          );
          reply.on('error', reject);
        },
      );
      outgoing.on('error', reject);
      // Splits the body after its first ten characters; any place would do.
      if (chunked) outgoing.write(body.slice(0, 10));
      outgoing.end(chunked ? body.slice(10) : body);
    });
}
