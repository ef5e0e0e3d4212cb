/** Variants that differ from the reference and are just as right: none of them may change a verdict. */

import { request as httpRequest } from 'node:http';
import type { Harmless } from './defect.ts';
import { authInfoOf, changed, withId } from './outgoing.ts';

export const harmless: readonly Harmless[] = [
  {
    id: 'members-reversed',
    title: 'The members of the call stand in another order',
    fetch: changed((out) => void Object.assign(out, { call: reversed(out.call) })),
  },
  {
    id: 'extra-envelope-members',
    title: 'The envelope has members of its own',
    fetch: changed(({ call }) => void Object.assign(call, { apiKey: null, trace: 'abc' })),
  },
  {
    id: 'extra-params',
    title: 'The params have members of their own',
    fetch: changed(({ call }) => void Object.assign(call.params, { locale: 'en', version: 3 })),
  },
  {
    id: 'created-sent',
    title: 'authInfo says when it was made',
    fetch: changed((out) => void Object.assign(authInfoOf(out), { created: '2026-01-15 09:00:00.000' })),
  },
  {
    id: 'extra-headers',
    title: 'The calls have headers of their own',
    fetch: changed(
      ({ init }) =>
        void Object.assign(init.headers, {
          'x-request-id': 'r-1',
          'accept-language': 'ru',
          'user-agent': 'Example/1.0',
        }),
    ),
  },
  {
    id: 'charset-named',
    title: 'The Content-Type names its charset',
    fetch: changed(
      ({ init }) => void Object.assign(init.headers, { 'content-type': 'application/json; charset=UTF-8' }),
    ),
  },
  { id: 'string-ids', title: 'The ids are strings', fetch: withId((id) => `call-${String(id)}`) },
  {
    id: 'uuid-ids',
    title: 'The ids are UUIDs',
    fetch: withId((id) => `6f1d2c3b-4a59-4e8f-9b7a-${String(id).padStart(12, '0')}`),
  },
  { id: 'large-ids', title: 'The ids are large numbers', fetch: withId((id) => 9_000_000_000_000 + Number(id)) },
  {
    id: 'no-closing-slash',
    title: 'The path has no closing slash',
    fetch: changed(({ url }) => void Object.assign(url, { pathname: url.pathname.replace(/\/$/, '') })),
  },
  {
    id: 'query-in-path',
    title: 'The path has a query',
    fetch: changed(({ url }) => url.searchParams.set('trace', '1')),
  },
  {
    id: 'pretty-printed',
    title: 'The body is pretty-printed and ends with a line end',
    fetch: changed(({ init, call }) => void Object.assign(init, { body: `${JSON.stringify(call, null, 2)}\n` })),
  },
  {
    id: 'escaped-unicode',
    title: 'The body escapes letters',
    fetch: changed(
      ({ init, call }) =>
        void Object.assign(init, { body: JSON.stringify(call).replaceAll('authInfo', '\\u0061uthInfo') }),
    ),
  },
  { id: 'connection-close', title: 'Every call has a connection of its own', fetch: () => ownConnection({}) },
  { id: 'chunked-body', title: 'The body is sent in chunks', fetch: () => ownConnection({ chunked: true }) },
  {
    id: 'slow-calls',
    title: 'Every call is sent after a pause',
    fetch: (send) => async (input, init) => {
      for (let turn = 0; turn < 2_000; turn++) await new Promise(setImmediate);
      return send(input, init);
    },
  },
  {
    id: 'retries-unreachable',
    title: 'A connection that is refused is tried once more',
    fetch: (send) => (input, init) =>
      send(input, init).catch((error: unknown) => (init?.signal?.aborted ? Promise.reject(error) : send(input, init))),
  },
  { id: 'short-session', title: 'Sessions live two hours', env: { AUTH_SESSION_TTL: '120' } },
  { id: 'long-session', title: 'Sessions live a year', env: { AUTH_SESSION_TTL: '525600' } },
  { id: 'no-resend-pause', title: 'Codes may be requested at any time', env: { AUTH_OTP_RESEND_AFTER: '0' } },
  {
    id: 'other-error-texts',
    title: 'Errors have other texts and more members',
    variation: () => ({
      pipeline: (pipeline) => async (text, channel) => ({
        body: (await pipeline(text, channel)).body?.replace(
          /"message":"[^"]*"/,
          '"message":"Fehler","help":"https://help.example"',
        ),
      }),
    }),
  },
  {
    id: 'other-error-codes',
    title: 'Errors to the client have codes of their own',
    variation: () => ({
      pipeline: (pipeline) => async (text, channel) => ({
        body: (await pipeline(text, channel)).body?.replace(/"code":-3[3-6](\d{3})/, '"code":-9$1'),
      }),
    }),
  },
  {
    id: 'more-in-replies',
    title: 'Replies to the client have members of their own',
    variation: () => ({
      pipeline: (pipeline) => async (text, channel) => ({
        body: (await pipeline(text, channel)).body
          ?.replace('"result":{', '"result":{"server":"example",')
          .replace(',}', '}'),
      }),
    }),
  },
  {
    id: 'longer-tokens',
    title: 'Tokens have 384 bits',
    variation: () => ({
      context: (context) => ({ ...context, random: (length) => context.random(length === 32 ? 48 : length) }),
    }),
  },
];

function reversed<T extends object>(value: T): T {
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [
        name,
        typeof member === 'object' && member !== null && !Array.isArray(member) ? reversed(member as object) : member,
      ]),
  ) as T;
}

/** Sends by node:http, on a connection of its own. */
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
              ? resolve(new Response(Buffer.concat(chunks), { status: reply.statusCode ?? 200 }))
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
