/** Defects in how a server handles an EHR server in trouble. */
import { isObject } from '#protocol/wire/envelope.ts';
import { RpcError } from '#protocol/wire/errors.ts';
import { changed, doneReply, onFailure, readAs, SAVE } from '../calls/outgoing.ts';
import type { Defect } from '../defect.ts';
import {
  brokenAfter,
  jsonOf,
  refusedWith,
  replacing,
  sending,
  stalling,
  takesAny200AsDone,
  takesAnyIdAsDone,
  takesHalfAReplyAsDone,
  takesHttp500AsDone,
  watching,
} from './troubled.ts';

export const troubleDefects: readonly Defect[] = [
  {
    id: 'hangs-with-the-ehr',
    title: 'There is no timeout on calls to the EHR server',
    caughtBy: 'exchange-told-hang',
    variation: () => ({ context: stalling }),
  },
  {
    id: 'hangs-on-save',
    title: 'There is no timeout on the saving of a session',
    caughtBy: 'save-told-hang',
    variation: () => ({ context: stalling }),
  },
  replacing(
    'swallows-unreachable',
    'An EHR server that is down is answered with success',
    'exchange-told-down',
    onFailure(doneReply),
  ),
  replacing('swallows-reset', 'A reset connection is answered with success', 'save-told-reset', onFailure(doneReply)),
  replacing(
    'swallows-lost-reply',
    'A lost reply is answered with success',
    'save-told-reply-lost',
    onFailure(doneReply),
  ),
  refusedWith('not_authorized', 'exchange-told-not-authorized'),
  refusedWith('access_forbidden', 'exchange-told-access-forbidden'),
  refusedWith('internal_error', 'save-told-internal-error'),
  refusedWith('invalid_params', 'save-told-invalid-params'),
  refusedWith('token_already_stored', 'duplicate-session-token-handled'),
  refusedWith('exchange_token_already_stored', 'duplicate-exchange-token-handled'),
  replacing('any-200-is-success', 'Any HTTP 200 is taken as success', 'exchange-told-not-json', takesAny200AsDone),
  replacing('http-500-is-success', 'The HTTP status is not looked at', 'exchange-told-http-500', takesHttp500AsDone),
  replacing('id-not-compared', 'The id of the reply is not compared', 'exchange-told-wrong-id', takesAnyIdAsDone),
  replacing(
    'half-a-reply-is-success',
    'A reply that breaks off is taken as success',
    'exchange-told-truncate',
    takesHalfAReplyAsDone,
  ),
  replacing(
    'first-chunk-only',
    'The first chunk of the reply is taken for the whole',
    'understands-split-reply',
    readAs(async (response) => {
      const reader = response.body?.getReader();
      const first = await reader?.read();
      await reader?.cancel();
      return new Response(first?.value ?? null, { status: response.status });
    }),
  ),
  replacing(
    'number-id-not-understood',
    'Only a string is accepted as the id of a reply',
    'understands-number-id',
    readAs(async (response) => {
      const body = await jsonOf(response.clone()).catch(() => undefined);
      return body && typeof body.id === 'number' ? new Response('{}', { status: 200 }) : response;
    }),
  ),
  replacing(
    'string-id-not-understood',
    'Only a number is accepted as the id of a reply',
    'understands-string-id',
    readAs(async (response) => {
      const body = await jsonOf(response.clone()).catch(() => undefined);
      return body && typeof body.id === 'string' ? new Response('{}', { status: 200 }) : response;
    }),
  ),
  replacing(
    'empty-result-not-understood',
    'A result without an id is not taken for success',
    'understands-result-empty',
    readAs(async (response) => {
      const { result } = (await jsonOf(response.clone()).catch(() => undefined)) ?? {};
      return isObject(result) && !('id' in result) ? new Response('{}', { status: 200 }) : response;
    }),
  ),
  replacing(
    'further-members-not-understood',
    'A reply with members that are not known is not taken for success',
    'understands-more-members',
    readAs(async (response) => {
      const body = (await jsonOf(response.clone()).catch(() => undefined)) ?? {};
      const known = ['jsonrpc', 'id', 'result', 'error'];
      return Object.keys(body).every((name) => known.includes(name)) ? response : new Response('{}', { status: 200 });
    }),
  ),
  {
    id: 'impatient',
    title: 'The EHR server is given a tenth of a second',
    caughtBy: 'understands-late',
    env: { AUTH_EHR_TIMEOUT: '100' },
  },
  {
    id: 'follows-redirects',
    title: 'Redirects are followed with the credentials',
    caughtBy: 'no-redirect-followed',
    seenIn: ['apify/crawlee#4134', 'googleapis/google-http-java-client#2181'],
    fetch: (send) => (input, init) => send(input, { ...init, redirect: 'follow' }),
  },
  watching(
    'broken-after-500',
    'After an HTTP 500 no call works any more',
    'exchange-survives-http-500',
    brokenAfter((_error, response) => response?.status === 500),
  ),
  watching(
    'broken-after-nonsense',
    'After a reply that cannot be read no call works any more',
    'save-survives-truncate',
    brokenAfter(
      async (_error, response) =>
        response?.status === 200 && (await jsonOf(response).catch(() => undefined)) === undefined,
    ),
  ),
  watching(
    'broken-after-hang',
    'After a hanging call no call works any more',
    'save-survives-hang',
    brokenAfter((error) => error instanceof Error && error.message === 'The EHR server took too long.'),
  ),
  {
    id: 'locked-after-failure',
    title: 'A lock is not released when a call fails',
    caughtBy: 'exchange-survives-down',
    variation: () => ({
      context: (context) => {
        let locked = false;
        return {
          ...context,
          ehr: {
            ...context.ehr,
            async saveExchangeToken(token, info) {
              if (locked) throw new RpcError('ehr_unreachable');
              try {
                return await context.ehr.saveExchangeToken(token, info);
              } catch (error) {
                locked = true;
                throw error;
              }
            },
          },
        };
      },
    }),
  },
  sending('sends-twice', 'Every call is sent twice', 'calls-accepted', (send) => async (input, init) => {
    const response = await send(input, init);
    await send(input, init)
      .then((second) => second.text())
      .catch(() => undefined);
    return response;
  }),
  sending(
    'accepts-nothing',
    'Sessions are saved with a token that the EHR server refuses',
    'calls-accepted',
    changed(({ call }) => {
      if (call.method === SAVE) call.cred.token = '0'.repeat(40);
    }),
  ),
];
