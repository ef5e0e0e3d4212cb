/** Harmless variants of calls to the EHR server, in what the interface leaves to the server. */
import { createHash } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { authInfoOf, onceMore, sends, withId } from '../calls/outgoing.ts';
import { harmlessOf } from '../defect.ts';

export function responseOf(body: string | Buffer<ArrayBuffer>, status = 200): Response {
  return new Response(status === 204 ? null : body, { status });
}

/** Like `fetch`, over a new connection each. `chunked`: no Content-Length. */
function ownConnection({ chunked = false }): typeof fetch {
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
      if (chunked) outgoing.write(body.slice(0, 10));
      outgoing.end(chunked ? body.slice(10) : body);
    });
}

export const harmlessCalls = harmlessOf([
  'members-reversed: The members of the call stand in another order',
  sends((out) => void Object.assign(out, { call: reversed(out.call) })),
  'created-sent: authInfo says when it was made',
  sends((out) => void Object.assign(authInfoOf(out), { created: '2026-01-15 09:00:00.000' })),
  'idempotency-key: A header has the SHA-256 of the session token, so that a repeat is recognized',
  sends((out) => {
    const key = createHash('sha256')
      .update(String(authInfoOf(out).token))
      .digest('base64url');
    Object.assign(out.init.headers, { 'idempotency-key': key });
  }),
  'large-ids: The ids are large numbers',
  { fetch: withId((id) => 9_000_000_000_000 + Number(id)) },
  'escaped-unicode: The body escapes letters',
  sends(
    ({ init, call }) =>
      void Object.assign(init, { body: JSON.stringify(call).replaceAll('authInfo', '\\u0061uthInfo') }),
  ),
  'chunked-body: The body is sent in chunks',
  { fetch: () => ownConnection({ chunked: true }) },
  'retries-unreachable: A connection that is refused is tried once more',
  { fetch: onceMore },
]);

function reversed<T extends object>(value: T): T {
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [
        name,
        typeof member === 'object' && member !== null && !Array.isArray(member)
          ? reversed(member as object)
          : member,
      ]),
  ) as T;
}
