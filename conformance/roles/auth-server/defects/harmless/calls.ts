/** Harmless variants of calls to the EHR server: other members, headers, ids and connections. */

import { createHash } from 'node:crypto';
import { authInfoOf, onceMore, sends, withId } from '../calls/outgoing.ts';
import type { Harmless } from '../defect.ts';
import { ownConnection } from './own-connection.ts';

export const harmlessCalls: readonly Harmless[] = [
  {
    id: 'members-reversed',
    title: 'The members of the call stand in another order',
    change: sends((out) => void Object.assign(out, { call: reversed(out.call) })),
  },
  {
    id: 'extra-envelope-members',
    title: 'The envelope has members of its own',
    change: sends(({ call }) => void Object.assign(call, { apiKey: null, trace: 'abc' })),
  },
  {
    id: 'extra-params',
    title: 'The params have members of their own',
    change: sends(({ call }) => void Object.assign(call.params, { locale: 'en', version: 3 })),
  },
  {
    id: 'created-sent',
    title: 'authInfo says when it was made',
    change: sends((out) => void Object.assign(authInfoOf(out), { created: '2026-01-15 09:00:00.000' })),
  },
  {
    id: 'extra-headers',
    title: 'The calls have headers of their own',
    change: sends(
      ({ init }) =>
        void Object.assign(init.headers, {
          'x-request-id': 'r-1',
          'accept-language': 'ru',
          'user-agent': 'Example/1.0',
        }),
    ),
  },
  {
    id: 'idempotency-key',
    title: 'A header has the SHA-256 of the session token, so that a repeat is recognized',
    change: sends((out) => {
      const key = createHash('sha256')
        .update(String(authInfoOf(out).token))
        .digest('base64url');
      Object.assign(out.init.headers, { 'idempotency-key': key });
    }),
  },
  {
    id: 'charset-named',
    title: 'The Content-Type names its charset',
    change: sends(
      ({ init }) => void Object.assign(init.headers, { 'content-type': 'application/json; charset=UTF-8' }),
    ),
  },
  { id: 'string-ids', title: 'The ids are strings', change: { fetch: withId((id) => `call-${String(id)}`) } },
  {
    id: 'uuid-ids',
    title: 'The ids are UUIDs',
    change: { fetch: withId((id) => `6f1d2c3b-4a59-4e8f-9b7a-${String(id).padStart(12, '0')}`) },
  },
  {
    id: 'large-ids',
    title: 'The ids are large numbers',
    change: { fetch: withId((id) => 9_000_000_000_000 + Number(id)) },
  },
  {
    id: 'no-closing-slash',
    title: 'The path has no closing slash',
    change: sends(({ url }) => void Object.assign(url, { pathname: url.pathname.replace(/\/$/, '') })),
  },
  {
    id: 'query-in-path',
    title: 'The path has a query',
    change: sends(({ url }) => url.searchParams.set('trace', '1')),
  },
  {
    id: 'pretty-printed',
    title: 'The body is pretty-printed and ends with a line end',
    change: sends(
      ({ init, call }) => void Object.assign(init, { body: `${JSON.stringify(call, null, 2)}\n` }),
    ),
  },
  {
    id: 'escaped-unicode',
    title: 'The body escapes letters',
    change: sends(
      ({ init, call }) =>
        void Object.assign(init, { body: JSON.stringify(call).replaceAll('authInfo', '\\u0061uthInfo') }),
    ),
  },
  {
    id: 'connection-close',
    title: 'Every call has a connection of its own',
    change: { fetch: () => ownConnection({}) },
  },
  {
    id: 'chunked-body',
    title: 'The body is sent in chunks',
    change: { fetch: () => ownConnection({ chunked: true }) },
  },
  {
    id: 'slow-calls',
    title: 'Every call is sent after a pause',
    change: {
      fetch: (send) => async (input, init) => {
        for (let turn = 0; turn < 2_000; turn++) await new Promise(setImmediate);
        return send(input, init);
      },
    },
  },
  {
    id: 'retries-unreachable',
    title: 'A connection that is refused is tried once more',
    change: { fetch: onceMore },
  },
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
