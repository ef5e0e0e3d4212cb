/** Defects of calls in disguise: in a batch, without an id, with headers, under another spelling. */
import type { RequestListener } from 'node:http';
import { digest } from '#protocol/wire/digest.ts';
import { isObject } from '#protocol/wire/envelope.ts';
import type { EhrChange } from '../../self-test/serve.ts';
import type { EhrDefect } from '../defect.ts';
import { type Members, membersOf, SAVE, SAVE_EXCHANGE_TOKEN, type WireCall } from './messages.ts';

/** Serves public bodies as internal ones where a careless check does not see a save. */
const servesInside = (isUnseen: (body: unknown) => boolean, repair = (body: unknown) => body): EhrChange => ({
  pipeline: (pipeline) => (text, channel) => {
    const body = bodyOf(text);
    const isInside = channel === 'public' && isUnseen(body);
    return isInside ? pipeline(JSON.stringify(repair(body)), 'any') : pipeline(text, channel);
  },
});

function bodyOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // No JSON: the right server says so.
    return undefined;
  }
}

/** Serves a public request by the internal listener where a header says so. */
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

/** Changes the calls of a batch before they are carried out. */
const inBatches = (
  change: (calls: WireCall[], secretOf: (call: WireCall) => Promise<Members | undefined>) => Promise<unknown>,
): EhrChange => ({
  pipeline:
    (pipeline, { rules, store }) =>
    async (text, channel) => {
      const calls = bodyOf(text);
      if (!Array.isArray(calls) || !calls.every(isObject)) return pipeline(text, channel);
      const rightCred = async ({ method, params }: WireCall) => {
        const { exchangeToken, authInfo } = membersOf(params);
        const link = await store.findLink(String(membersOf(authInfo).user));
        const secret = method === SAVE_EXCHANGE_TOKEN ? String(exchangeToken) : link?.userSign;
        const isSave = method === SAVE || method === SAVE_EXCHANGE_TOKEN;
        return isSave && secret !== undefined
          ? { user: rules.internalUser, token: digest(rules.internalPassword, secret) }
          : undefined;
      };
      return pipeline(JSON.stringify(await change(calls as WireCall[], rightCred)), channel);
    },
});

/** Replies of a batch, in the order of the calls that ask for one. */
const inRepliesOfBatch = (change: (replies: Members[]) => unknown): EhrChange => ({
  pipeline: (pipeline) => async (text, channel) => {
    const answer = await pipeline(text, channel);
    const replies = answer.body === undefined ? undefined : bodyOf(answer.body);
    return Array.isArray(replies) ? { ...answer, body: JSON.stringify(change(replies as Members[])) } : answer;
  },
});

const byIdAlone = inRepliesOfBatch((replies) => {
  const known = new Map(replies.map((reply) => [reply.id, reply]));
  return replies.map(({ id }) => known.get(id));
});

const keepsCred = inBatches(async (calls) => {
  let last: unknown;
  return calls.map((call) => {
    last = call.cred ?? last;
    return { ...call, cred: last };
  });
});

const verifiesFirstSave = inBatches(async (calls, rightCred) => {
  const [first] = calls;
  const isVerified = first && JSON.stringify(first.cred) === JSON.stringify(await rightCred(first));
  return Promise.all(
    calls.map(async (call) => (isVerified ? { ...call, cred: (await rightCred(call)) ?? call.cred } : call)),
  );
});

export const batchDefects: readonly EhrDefect[] = [
  {
    id: 'batch-of-one-unwrapped',
    title: 'A batch of one call is answered by a single reply',
    change: inRepliesOfBatch((replies) => (replies.length === 1 ? replies[0] : replies)),
    caughtBy: 'small-batches-answered',
  },
  {
    id: 'silent-batch-answered',
    title: 'A batch of notifications is answered by an empty list',
    change: {
      pipeline: (pipeline) => async (text, channel) => {
        const answer = await pipeline(text, channel);
        return answer.body === undefined && Array.isArray(bodyOf(text)) ? { ...answer, body: '[]' } : answer;
      },
    },
    caughtBy: 'small-batches-answered',
  },
  {
    id: 'batch-served-inside',
    title: 'A batch at the public address may hold internal calls',
    change: servesInside(Array.isArray),
    caughtBy: 'internal-methods-not-disguised',
  },
  {
    id: 'notification-served-inside',
    title: 'A notification at the public address may be an internal call',
    change: servesInside((body) => isObject(body) && !('id' in body)),
    caughtBy: 'internal-methods-not-disguised',
  },
  {
    id: 'spelling-served-inside',
    title: 'A method in capitals is taken for no internal one, and carried out as one',
    change: servesInside(
      (body) => isObject(body) && body.method === SAVE.toUpperCase(),
      (body) => ({ ...membersOf(body), method: SAVE }),
    ),
    caughtBy: 'internal-methods-not-disguised',
  },
  {
    id: 'forwarded-for-trusted',
    title: 'X-Forwarded-For of this machine opens the internal methods at the public address',
    change: trusts((headers) => headers['x-forwarded-for'] === '127.0.0.1'),
    caughtBy: 'internal-methods-not-disguised',
  },
  {
    id: 'host-trusted',
    title: 'The Host of the internal address opens its methods at the public one',
    change: trusts(({ host }, port) => port !== '' && String(host).endsWith(`:${port}`)),
    caughtBy: 'internal-methods-not-disguised',
  },
  {
    id: 'batch-keeps-cred',
    title: 'A call of a batch without cred takes that of the call before',
    change: keepsCred,
    caughtBy: 'calls-of-batch-apart',
  },
  {
    id: 'batch-replies-by-id',
    title: 'Calls of a batch with one id get one reply',
    change: byIdAlone,
    caughtBy: 'calls-of-batch-apart',
  },
  {
    id: 'batch-replies-turned',
    title: 'The replies of a batch carry the ids of its calls, and the results of others',
    change: inRepliesOfBatch((replies) =>
      replies.map(({ id }, index) => ({ ...replies[(index + 1) % replies.length], id })),
    ),
    caughtBy: 'calls-of-batch-apart',
  },
  {
    id: 'batch-verified-once',
    title: 'Of a batch of saves the first digest alone is verified',
    change: verifiesFirstSave,
    caughtBy: 'saves-of-batch-apart',
  },
];
