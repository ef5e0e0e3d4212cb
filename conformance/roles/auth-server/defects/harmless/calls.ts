/** Harmless variants of calls to the EHR server, in what the interface leaves to the server. */
import { createHash } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { authInfoOf, onceMore, sends, withId } from '../calls/outgoing.ts';
import { harmless } from '../defect.ts';

/** Like `fetch`, over a new connection each, without a Content-Length. */
const sendsInChunks: typeof fetch = (input, init) =>
  new Promise((resolve, reject) => {
    const body = String(init?.body);
    const headers = { ...(init?.headers as Record<string, string>), connection: 'close' };
    const outgoing = httpRequest(
      String(input),
      { method: 'POST', agent: false, headers, ...(init?.signal && { signal: init.signal }) },
      (reply) => {
        const { statusCode: status = 200 } = reply;
        const chunks: Buffer[] = [];
        reply.on('data', (chunk: Buffer) => chunks.push(chunk));
        reply.on('end', () =>
          reply.complete
            ? resolve(new Response(status === 204 ? null : Buffer.concat(chunks), { status }))
            : reject(new TypeError('cut off')),
        );
        reply.on('error', reject);
      },
    );
    outgoing.on('error', reject);
    outgoing.write(body.slice(0, 10));
    outgoing.end(body.slice(10));
  });

export const harmlessCalls = [
  harmless('members-reversed', {
    title: 'The members of the call stand in another order',
    ...sends((out) => void Object.assign(out, { call: reversed(out.call) })),
  }),
  harmless('created-sent', {
    title: 'authInfo says when it was made',
    ...sends((out) => void Object.assign(authInfoOf(out), { created: '2026-01-15 09:00:00.000' })),
  }),
  harmless('idempotency-key', {
    title: 'A header has the SHA-256 of the session token, so that a repeat is recognized',
    ...sends((out) => {
      const key = createHash('sha256')
        .update(String(authInfoOf(out).token))
        .digest('base64url');
      Object.assign(out.init.headers, { 'idempotency-key': key });
    }),
  }),
  harmless('large-ids', {
    title: 'The ids are large numbers',
    fetch: withId((id) => 9_000_000_000_000 + Number(id)),
  }),
  harmless('escaped-unicode', {
    title: 'The body escapes letters',
    ...sends(
      ({ init, call }) =>
        void Object.assign(init, { body: JSON.stringify(call).replaceAll('authInfo', '\\u0061uthInfo') }),
    ),
  }),
  harmless('chunked-body', { title: 'The body is sent in chunks', fetch: () => sendsInChunks }),
  harmless('retries-unreachable', {
    title: 'A connection that is refused is tried once more',
    fetch: onceMore,
  }),
];

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
