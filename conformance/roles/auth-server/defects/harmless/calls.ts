/**
 * Lists harmless variants of an authorization server's calls to the EHR server: other members, headers, ids
 * and connections, which the interface leaves to the server. No check may report them.
 * A text `id: title` begins a variant; its change to the right mock follows.
 */

import { createHash } from 'node:crypto';
import { authInfoOf, onceMore, sends, withId } from '../calls/outgoing.ts';
import { harmlessOf } from '../defect.ts';
import { ownConnection } from './own-connection.ts';

export const harmlessCalls = harmlessOf([
  'members-reversed: The members of the call stand in another order',
  sends((out) => void Object.assign(out, { call: reversed(out.call) })),
  'extra-envelope-members: The envelope has members of its own',
  sends(({ call }) => void Object.assign(call, { apiKey: null, trace: 'abc' })),
  'extra-params: The params have members of their own',
  sends(({ call }) => void Object.assign(call.params, { locale: 'en', version: 3 })),
  'created-sent: authInfo says when it was made',
  sends((out) => void Object.assign(authInfoOf(out), { created: '2026-01-15 09:00:00.000' })),
  'extra-headers: The calls have headers of their own',
  sends(
    ({ init }) =>
      void Object.assign(init.headers, {
        'x-request-id': 'r-1',
        'accept-language': 'ru',
        'user-agent': 'Example/1.0',
      }),
  ),
  'idempotency-key: A header has the SHA-256 of the session token, so that a repeat is recognized',
  sends((out) => {
    const key = createHash('sha256')
      .update(String(authInfoOf(out).token))
      .digest('base64url');
    Object.assign(out.init.headers, { 'idempotency-key': key });
  }),
  'charset-named: The Content-Type names its charset',
  sends(
    ({ init }) => void Object.assign(init.headers, { 'content-type': 'application/json; charset=UTF-8' }),
  ),
  'string-ids: The ids are strings',
  { fetch: withId((id) => `call-${String(id)}`) },
  'uuid-ids: The ids are UUIDs',
  { fetch: withId((id) => `6f1d2c3b-4a59-4e8f-9b7a-${String(id).padStart(12, '0')}`) },
  'large-ids: The ids are large numbers',
  { fetch: withId((id) => 9_000_000_000_000 + Number(id)) },
  'no-closing-slash: The path has no closing slash',
  sends(({ url }) => void Object.assign(url, { pathname: url.pathname.replace(/\/$/, '') })),
  'query-in-path: The path has a query',
  sends(({ url }) => url.searchParams.set('trace', '1')),
  'pretty-printed: The body is pretty-printed and ends with a line end',
  sends(({ init, call }) => void Object.assign(init, { body: `${JSON.stringify(call, null, 2)}\n` })),
  'escaped-unicode: The body escapes letters',
  sends(
    ({ init, call }) =>
      void Object.assign(init, { body: JSON.stringify(call).replaceAll('authInfo', '\\u0061uthInfo') }),
  ),
  'connection-close: Every call has a connection of its own',
  { fetch: () => ownConnection({}) },
  'chunked-body: The body is sent in chunks',
  { fetch: () => ownConnection({ chunked: true }) },
  'slow-calls: Every call is sent after a pause',
  {
    fetch: (send) => async (input, init) => {
      // Turns of the event loop, not a timer: the pause does not depend on the clock of the test.
      for (let turn = 0; turn < 2_000; turn++) await new Promise(setImmediate);
      return send(input, init);
    },
  },
  'retries-unreachable: A connection that is refused is tried once more',
  { fetch: onceMore },
]);

/** Returns an object with its members in reverse order, those of nested objects too. */
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
