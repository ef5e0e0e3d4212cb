/**
 * Defects of an EHR server in batches of calls, and in calls that disguise an internal method at the public
 * address: in a batch, without an id, in capitals, with a header. A key is the check that must find the
 * defects below it. A text `id: title` begins a defect; its change of the right server follows.
 */
import type { RequestListener } from 'node:http';
import { membersOf, type RpcCall } from '../../../../engine/defects/rpc-call.ts';
import type { EhrChange, EhrServerParts } from '../../self-test/serve.ts';
import { internalCred } from '../changes.ts';
import { foundBy } from '../defect.ts';
import { secretOf } from '../internal-channel/digest-defects.ts';
import { SAVE, SAVES } from '../methods.ts';
import { bodyOf, inBatches, inBatchReplies } from './bodies.ts';

/**
 * Serve a public body as an internal one where a careless check does not see that it calls an internal
 * method.
 * @param isUnseen whether the check overlooks a body
 * @param repair makes the body one that the right server carries out
 */
const servesInside = (isUnseen: (body: unknown) => boolean, repair = (body: unknown) => body): EhrChange => ({
  pipeline: (pipeline) => (text, channel) => {
    const body = bodyOf(text);
    const isInside = channel === 'public' && isUnseen(body);
    return isInside ? pipeline(JSON.stringify(repair(body)), 'any') : pipeline(text, channel);
  },
});

/**
 * Serve a public request by the internal listener where a header makes the server trust it.
 * @param isTrusted is given the headers, and the port of the internal address; '' before its first request
 */
function trusts(isTrusted: (headers: Record<string, unknown>, inside: string) => boolean): EhrChange {
  // The change is asked for each channel's listener in turn, so the internal one is kept for the public one.
  let internal: RequestListener | undefined;
  let port = '';
  return {
    http(listener, channel) {
      if (channel === 'public')
        return (request, response) =>
          (internal && isTrusted(request.headers, port) ? internal : listener)(request, response);
      internal = listener;
      return (request, response) => {
        port = String(request.socket.localPort);
        listener(request, response);
      };
    },
  };
}

/** Give a call of a batch without a cred that of the call before it. */
const keepsCred = inBatches((calls) => {
  let last: unknown;
  return calls.map((call) => {
    last = call.cred ?? last;
    return { ...call, cred: last };
  });
});

/** The right cred of a save; undefined for other methods, and for a user without a link. */
async function rightCred({ method, params }: RpcCall, parts: EhrServerParts) {
  const sent = membersOf(params);
  const secret = await secretOf({ params: sent, authInfo: membersOf(sent.authInfo), parts });
  return SAVES.includes(method) && secret !== undefined ? internalCred(parts, secret) : undefined;
}

/** Verify the cred of the first call of a batch alone, and carry out all saves. */
const verifiesFirstSave = inBatches(async (calls, parts) => {
  const creds = await Promise.all(calls.map((call) => rightCred(call, parts)));
  const isVerified = calls.length > 0 && JSON.stringify(calls[0]?.cred) === JSON.stringify(creds[0]);
  return isVerified ? calls.map((call, index) => ({ ...call, cred: creds[index] ?? call.cred })) : undefined;
});

export const batchDefects = foundBy({
  'internal-methods-not-disguised': [
    'batch-served-inside: A batch at the public address may hold internal calls',
    servesInside(Array.isArray),
    'spelling-served-inside: A method in capitals is not seen as internal, and carried out',
    servesInside(
      (body) => membersOf(body).method === SAVE.toUpperCase(),
      (body) => ({ ...membersOf(body), method: SAVE }),
    ),
    'forwarded-for-trusted: X-Forwarded-For of this machine opens the internal methods at the public address',
    trusts((headers) => headers['x-forwarded-for'] === '127.0.0.1'),
  ],
  'batch-opens-nothing': [
    'batch-by-first-cred: A call of a batch without a cred takes that of the first call',
    inBatches((calls) => calls.map((call) => ({ ...call, cred: call.cred ?? calls[0]?.cred }))),
  ],
  'calls-of-batch-apart': [
    'batch-keeps-cred: A call of a batch without cred takes that of the call before',
    keepsCred,
    'batch-replies-turned: The replies of a batch have the results of other calls',
    inBatchReplies((replies) =>
      replies.map(({ id }, index) => ({ ...replies[(index + 1) % replies.length], id })),
    ),
  ],
  'saves-of-batch-apart': [
    'batch-verified-once: Of a batch of saves the first digest alone is verified',
    verifiesFirstSave,
  ],
});
