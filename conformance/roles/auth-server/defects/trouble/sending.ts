/**
 * Lists defects in how an authorization server sends calls to the EHR server, such as one at a time, and in
 * which replies it understands.
 * A key is the check that must find the defects below it. A text `id: title` begins a defect; its change to
 * the right mock follows, or `on(...)` names plain shapes that have it; then `owner/repo#number` of public
 * systems that had it.
 */
import { isObject } from '#protocol/wire/envelope.ts';
import { RpcError } from '#protocol/wire/errors.ts';
import { authInfoOf, callIn, readAs, replaces, saidIn, watches } from '../calls/outgoing.ts';
import type { Change, Send } from '../change.ts';
import { foundBy, on } from '../defect.ts';
import { announces } from '../operators.ts';
import { type Looks, misreads } from './looks.ts';

/** Public systems that repeated failing calls too often. */
const MANY_RETRIES = ['fabriziosalmi/proxxx#254', 'panoramicdata/PanoramicData.OData.Client#43'];

/** Thrown where a defective server would die. The self-test then stops the server. */
export class ServerDies extends Error {
  override name = 'ServerDies';
  override message = 'The server ended here.';
}

/** Lets the server die at the first reply of the EHR server for which `isDeadly` is true. */
const diesAt = (isDeadly: (response: Response, body: string) => boolean): Change =>
  watches((send) => async (input, init) => {
    const response = await send(input, init);
    if (isDeadly(response, await saidIn(response))) throw new ServerDies();
    return response;
  });

/** Reads the reply to a call that was given up as the reply to the next call of the same user. */
const readsLateReply: Send =
  (send, ledger) =>
  (input, { signal, ...init } = {}) => {
    const unread = ledger.notes<Promise<Response>>('unread replies');
    const { user } = authInfoOf({ call: callIn(init) });
    const nextReply = send(input, init);
    // Nobody may ever read this reply; without this line its failure would end the process.
    nextReply.catch(() => undefined);
    const reply = unread.get(user) ?? nextReply;
    if (reply !== nextReply) unread.set(user, nextReply);
    const givenUp = new Promise<never>((_, reject) =>
      signal?.addEventListener('abort', () => {
        if (!unread.has(user)) unread.set(user, reply);
        reject(new TypeError('The call was given up.'));
      }),
    );
    return Promise.race([reply, givenUp]);
  };

/** The members that JSON-RPC 2.0 gives a reply. */
const KNOWN_MEMBERS = ['jsonrpc', 'id', 'result', 'error'];
/** Recognizes a reply whose id has this type. */
const idIs =
  (type: string): Looks =>
  ({ body }) =>
    isObject(body) && typeof body.id === type;

export const sendingCallsDefects = foundBy({
  'exchange-survives-hang': [
    "late-reply-read-as-next: Each user's calls have a connection; the reply to one that was given up is read as the reply to the next",
    { fetch: readsLateReply },
    'redis/redis-py#2624',
    'GHSA-24wv-mv5m-xv4h',
  ],
  'exchange-survives-down': [
    'locked-after-failure: A lock is not released when a call fails',
    announces((save, { ledger }) => (token, info) => {
      const locks = ledger.notes('locks');
      if (locks.has('')) return Promise.reject(new RpcError('ehr_unreachable'));
      return save(token, info).catch((error: unknown) => {
        locks.set('', true);
        throw error;
      });
    }),
  ],
  'calls-in-trouble-bounded': [
    'repeats-thirty-times: A call that fails is sent thirty times',
    {
      fetch: (send) => async (input, init) => {
        for (let sent = 1; ; sent++) {
          const response = await send(input, init).catch((error: unknown) => {
            if (sent === 30 || init?.signal?.aborted) throw error;
            return undefined;
          });
          if (response && (response.status < 500 || sent === 30)) return response;
        }
      },
    },
    ...MANY_RETRIES,
  ],
  'calls-accepted': [
    'sends-twice: Every call is sent twice',
    {
      fetch: (send) => async (input, init) => {
        const response = await send(input, init);
        await send(input, init)
          .then((second) => second.text())
          .catch(() => undefined);
        return response;
      },
    },
  ],
  'understands-split-reply': [
    'first-chunk-only: The first chunk of the reply is taken for the whole',
    replaces(
      readAs(async (response) => {
        const reader = response.body?.getReader();
        const first = await reader?.read();
        await reader?.cancel();
        return new Response(first?.value ?? null, { status: response.status });
      }),
    ),
  ],
  'understands-number-id': [
    'number-id-not-understood: Only a string is accepted as the id of a reply',
    misreads(idIs('number')),
  ],
  'understands-string-id': [
    'string-id-not-understood: Only a number is accepted as the id of a reply',
    misreads(idIs('string')),
  ],
  'understands-result-empty': [
    'empty-result-not-understood: A result without an id is not taken for success',
    misreads(({ body }) => isObject(body) && isObject(body.result) && !('id' in body.result)),
  ],
  'understands-more-members': [
    'further-members-not-understood: A reply with members that are not known is not taken for success',
    misreads(({ body }) => Object.keys(body ?? {}).some((name) => !KNOWN_MEMBERS.includes(name))),
  ],
  'understands-late': [
    'impatient: The EHR server is given a tenth of a second',
    { env: { AUTH_EHR_TIMEOUT: '100' } },
  ],
  'exchange-answers-gzip': [
    'gzip-offered-not-unpacked: Replies in gzip are not unpacked, though the requests offer it',
    replaces(
      readAs(async (response) =>
        response.headers.get('content-encoding') === 'gzip' ? new Response('\u001f\u008b') : response,
      ),
    ),
  ],
  'server-survives': [
    'dies-at-gzip: A compressed reply ends the server',
    diesAt(({ headers }) => headers.has('content-encoding')),
    'dies-at-html: A reply that is a page of HTML ends the server',
    diesAt((_response, body) => body.startsWith('<')),
  ],
  'sign-in-answers-gzip': ['gzip-not-understood: A reply in gzip is not understood', on('carried-sign')],
});
