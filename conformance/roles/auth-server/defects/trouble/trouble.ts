/** Defects in how calls are sent to an EHR server in trouble, and in what becomes of the replies. */
import { isObject } from '#protocol/wire/envelope.ts';
import { RpcError } from '#protocol/wire/errors.ts';
import { authInfoOf, callIn, saidIn } from '../calls/outgoing.ts';
import type { Send } from '../change.ts';
import { foundBy } from '../defect.ts';
import { announces } from '../operators.ts';
import {
  breaksAfter,
  isNoAcknowledgement,
  isRefusal,
  LOOKS,
  misreads,
  takesForDone,
  waitsAfter,
} from './looks.ts';

/** Thrown where a defective server would die. The self-test then stops the server. */
export class ServerDies extends Error {
  override name = 'ServerDies';
  override message = 'The server ended here.';
}

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

export const troubleDefects = foundBy({
  'trouble-told-at-exchange-token': [
    'swallows-every-trouble: Whatever comes in the place of an acknowledgement is answered with success',
    takesForDone(isNoAcknowledgement),
    'id-not-compared: The id of the reply is not compared',
    takesForDone(LOOKS['wrong-id']),
    'hangs-with-the-ehr: There is no timeout on calls to the EHR server',
    waitsAfter(LOOKS.hang),
  ],
  'trouble-told-at-link': [
    'swallows-every-trouble-on-save: Whatever comes in the place of an acknowledgement is answered with success, when a session is saved',
    takesForDone(isNoAcknowledgement),
    'half-a-reply-is-success: A reply that breaks off is taken as success',
    takesForDone(LOOKS.truncate),
    'waits-after-huge: After a reply of 8 MiB the client gets no answer',
    waitsAfter(LOOKS.huge),
  ],
  'trouble-told-at-sign-in': [
    'swallows-every-trouble-at-sign-in: Whatever comes in the place of an acknowledgement is answered with success, when a linked user signs in',
    takesForDone(isNoAcknowledgement),
    'swallows-internal-error: The internal_error of the EHR server is answered with success',
    takesForDone(isRefusal('internal_error')),
  ],
  'trouble-survived-at-exchange-token': [
    'broken-after-one-break: After one broken connection no call works any more',
    breaksAfter(LOOKS.down),
    'late-reply-read-as-next: The reply to a call that was given up is read as the reply to the next',
    { fetch: readsLateReply },
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
  'trouble-survived-at-link': [
    'broken-after-every-trouble: After any trouble no call for that user works any more',
    breaksAfter(isNoAcknowledgement, { forUser: true }),
    'stuck-after-error-text: After an error that is a text no call for that user works any more',
    breaksAfter(LOOKS['error-text'], { forUser: true }),
  ],
  'trouble-survived-at-sign-in': [
    'stuck-after-trickle-at-sign-in: After a reply without end no call for that user works any more',
    breaksAfter(LOOKS.trickle, { forUser: true }),
    'broken-after-500: After an HTTP 500 no call works any more',
    breaksAfter(LOOKS['http-500']),
  ],
  'redirect-told': ['redirect-is-success: A redirect is taken as success', takesForDone(LOOKS.redirect)],
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
  'understands-reply': [
    'impatient: The EHR server is given a tenth of a second',
    { env: { AUTH_EHR_TIMEOUT: '100' } },
    'string-id-not-understood: Only a number is accepted as the id of a reply',
    misreads(({ body }) => isObject(body) && typeof body.id === 'string'),
    'empty-result-not-understood: A result without an id is not taken for success',
    misreads(({ body }) => isObject(body) && isObject(body.result) && !('id' in body.result)),
  ],
  'server-survives': [
    'dies-at-html: A reply that is a page of HTML ends the server',
    {
      fetch: (send) => async (input, init) => {
        const response = await send(input, init);
        if ((await saidIn(response)).startsWith('<')) throw new ServerDies();
        return response;
      },
    },
  ],
});
