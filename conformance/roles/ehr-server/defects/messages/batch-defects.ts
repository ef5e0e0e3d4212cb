/** Defects of batches, and of calls in disguise: without an id, with headers, under another spelling. */
import type { RequestListener } from 'node:http';
import { isObject } from '#protocol/wire/envelope.ts';
import { membersOf, type RpcCall } from '../../../../engine/defects/rpc-call.ts';
import type { EhrChange, EhrServerParts } from '../../self-test/serve.ts';
import { internalCred } from '../changes.ts';
import { defects } from '../defect.ts';
import { SAVE, SAVES } from '../methods.ts';
import { bodyOf, inBatches, inBatchReplies } from './bodies.ts';

const MAX_BATCH_CALLS = 100;

/** Serve public bodies as internal ones where a careless check does not see a save. */
const servesInside = (isUnseen: (body: unknown) => boolean, repair = (body: unknown) => body): EhrChange => ({
  pipeline: (pipeline) => (text, channel) => {
    const body = bodyOf(text);
    const isInside = channel === 'public' && isUnseen(body);
    return isInside ? pipeline(JSON.stringify(repair(body)), 'any') : pipeline(text, channel);
  },
});

/** Serve a public request by the internal listener where a header says so. */
function trusts(isTrusted: (headers: Record<string, unknown>, inside: string) => boolean): EhrChange {
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

const keepsCred = inBatches((calls) => {
  let last: unknown;
  return calls.map((call) => {
    last = call.cred ?? last;
    return { ...call, cred: last };
  });
});

async function rightCred({ method, params }: RpcCall, parts: EhrServerParts) {
  const { exchangeToken, authInfo } = membersOf(params);
  const link = await parts.store.findLink(String(membersOf(authInfo).user));
  const secret = exchangeToken === undefined ? link?.userSign : String(exchangeToken);
  return SAVES.includes(method) && secret !== undefined ? internalCred(parts, secret) : undefined;
}

const verifiesFirstSave = inBatches(async (calls, parts) => {
  const creds = await Promise.all(calls.map((call) => rightCred(call, parts)));
  const isVerified = calls.length > 0 && JSON.stringify(calls[0]?.cred) === JSON.stringify(creds[0]);
  return isVerified ? calls.map((call, index) => ({ ...call, cred: creds[index] ?? call.cred })) : undefined;
});

/** The batch of 101 with which the kit asks whether the limit is kept, served in parts. */
const servesLongBatches: EhrChange = {
  pipeline: (pipeline) => async (text, channel) => {
    const calls = bodyOf(text);
    if (!Array.isArray(calls) || calls.length <= MAX_BATCH_CALLS) return pipeline(text, channel);
    const first = await pipeline(JSON.stringify(calls.slice(0, MAX_BATCH_CALLS)), channel);
    const second = await pipeline(JSON.stringify(calls.slice(MAX_BATCH_CALLS)), channel);
    return { body: `${first.body?.slice(0, -1)},${second.body?.slice(1)}` };
  },
};

export const batchDefects = defects({
  'batch-of-one-unwrapped': {
    title: 'A batch of one call is answered by a single reply',
    change: inBatchReplies((replies) => (replies.length === 1 ? replies[0] : replies)),
    caughtBy: 'small-batches-answered',
  },
  'silent-batch-answered': {
    title: 'A batch of notifications is answered by an empty list',
    change: {
      pipeline: (pipeline) => async (text, channel) => {
        const answer = await pipeline(text, channel);
        return answer.body === undefined && Array.isArray(bodyOf(text)) ? { ...answer, body: '[]' } : answer;
      },
    },
    caughtBy: 'small-batches-answered',
  },
  'batch-served-inside': {
    title: 'A batch at the public address may hold internal calls',
    change: servesInside(Array.isArray),
    caughtBy: 'internal-methods-not-disguised',
  },
  'notification-served-inside': {
    title: 'A notification at the public address may be an internal call',
    change: servesInside((body) => isObject(body) && !('id' in body)),
    caughtBy: 'internal-methods-not-disguised',
  },
  'spelling-served-inside': {
    title: 'A method in capitals is not seen as internal, and carried out',
    change: servesInside(
      (body) => membersOf(body).method === SAVE.toUpperCase(),
      (body) => ({ ...membersOf(body), method: SAVE }),
    ),
    caughtBy: 'internal-methods-not-disguised',
  },
  'forwarded-for-trusted': {
    title: 'X-Forwarded-For of this machine opens the internal methods at the public address',
    change: trusts((headers) => headers['x-forwarded-for'] === '127.0.0.1'),
    caughtBy: 'internal-methods-not-disguised',
  },
  'host-trusted': {
    title: 'The Host of the internal address opens its methods at the public one',
    change: trusts(({ host }, port) => port !== '' && String(host).endsWith(`:${port}`)),
    caughtBy: 'internal-methods-not-disguised',
  },
  'batch-keeps-cred': {
    title: 'A call of a batch without cred takes that of the call before',
    change: keepsCred,
    caughtBy: 'calls-of-batch-apart',
  },
  'batch-replies-by-id': {
    title: 'Calls of a batch with one id get one reply',
    change: inBatchReplies((replies) =>
      replies.map(({ id }) => replies.findLast((reply) => reply.id === id)),
    ),
    caughtBy: 'calls-of-batch-apart',
  },
  'batch-replies-turned': {
    title: 'The replies of a batch have the results of other calls',
    change: inBatchReplies((replies) =>
      replies.map(({ id }, index) => ({ ...replies[(index + 1) % replies.length], id })),
    ),
    caughtBy: 'calls-of-batch-apart',
  },
  'batch-verified-once': {
    title: 'Of a batch of saves the first digest alone is verified',
    change: verifiesFirstSave,
    caughtBy: 'saves-of-batch-apart',
  },
  'batch-backwards': {
    title: 'The replies of a batch come in another order',
    change: inBatchReplies((replies) => replies.toReversed()),
    caughtBy: 'batch-in-order',
  },
  'batch-loses-cred': {
    title: 'The calls of a batch lose their creds, which single calls keep',
    change: inBatches((calls) => calls.map((call) => ({ ...call, cred: undefined }))),
    caughtBy: 'batch-in-order',
    seenIn: ['cenobites/flask-jsonrpc#138'],
  },
  'batch-first-alone': {
    title: 'Of a batch only the first call is answered',
    change: inBatchReplies(([first]) => first),
    caughtBy: 'batch-in-order',
  },
  'batch-without-limit': {
    title: 'A batch of any length is carried out',
    change: servesLongBatches,
    caughtBy: 'batch-limited',
  },
  'batch-of-fifty': {
    title: 'A batch of more than fifty calls is refused',
    change: inBatches((calls) => (calls.length > 50 ? [] : undefined)),
    caughtBy: 'batch-of-100-served',
  },
});
