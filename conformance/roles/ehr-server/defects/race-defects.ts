/** Defects of calls at the same moment: what is looked at first and written later. */
import type { EhrChange, EhrServerParts } from '../self-test/serve.ts';
import type { EhrDefect } from './defect.ts';
import {
  AUTHENTICATE,
  answering,
  authInfoOf,
  credOf,
  DISCONNECT,
  isDone,
  paramsOf,
  propertiesIn,
  READ,
  reasonOf,
  refusal,
  SAVE,
  SAVE_EXCHANGE_TOKEN,
  success,
  type WireCall,
  type WireReply,
} from './messages/messages.ts';
import { cachesReads } from './sessions/session-changes.ts';

/** How long a call lies between its look and its write. */
const WINDOW_MS = 5;

const aMoment = ({ clock }: EhrServerParts) => new Promise<void>((resolve) => clock.after(WINDOW_MS, resolve));

/** Calls of one key that come while one of them is under way all find what that one found. */
function looksFirst(method: string, keyOf: (call: WireCall) => unknown): EhrChange {
  return answering(() => {
    const underWay = new Map<unknown, Promise<WireReply>>();
    return async (call, { next, parts }) => {
      if (call.method !== method) return next();
      const key = keyOf(call);
      const found = underWay.get(key);
      if (found !== undefined) return { ...(await found), id: String(call.id) };
      const own = next().then(async (reply) => {
        await aMoment(parts);
        underWay.delete(key);
        return reply;
      });
      underWay.set(key, own);
      return own;
    };
  });
}

/** Looks at the count of failures first, and writes it a moment later. */
const countsLate: EhrChange = answering(() => {
  const attempts = new Map<unknown, number>();
  return async (call, tools) => {
    if (call.method !== AUTHENTICATE) return tools.next();
    const { exchangeToken } = paramsOf(call);
    const count = attempts.get(exchangeToken) ?? 0;
    await aMoment(tools.parts);
    attempts.set(exchangeToken, count + 1);
    return count < 5 ? refusal(call, 'patient_not_matched') : tools.next();
  };
});

/** Counts the calls of a batch as one. */
const countsBatchesOnce: EhrChange = {
  pipeline: (pipeline) => async (text, channel) => {
    const calls = text.startsWith('[') ? (JSON.parse(text) as WireCall[]) : [];
    if (calls[0]?.method !== AUTHENTICATE) return pipeline(text, channel);
    await pipeline(JSON.stringify(calls[0]), channel);
    return { body: JSON.stringify(calls.map((call) => refusal(call, 'patient_not_matched'))) };
  },
};

const removalFails: EhrChange = answering(() => {
  let linking = 0;
  return async (call, tools) => {
    if (call.method !== AUTHENTICATE && call.method !== DISCONNECT) return tools.next();
    linking++;
    await aMoment(tools.parts);
    const isMet = linking > 1;
    const reply = await tools.next();
    linking--;
    const error = {
      code: -32603,
      message: 'The server failed to carry out the call.',
      data: { reason: 'internal_error' },
    };
    return isMet && reasonOf(reply) !== undefined ? { jsonrpc: '2.0', error, id: String(call.id) } : reply;
  };
});

/** A link that meets a removal is made without its entry in the table of users. */
const leavesHalf: EhrChange = answering(() => {
  const removed = new Set<unknown>();
  const half = new Map<unknown, unknown>();
  const userOf = new Map<unknown, unknown>();
  return async (call, tools) => {
    const { exchangeToken } = paramsOf(call);
    const { user, token } = authInfoOf(call);
    if (call.method === SAVE_EXCHANGE_TOKEN) userOf.set(exchangeToken, { user, token });
    const record = half.get(credOf(call).token);
    if (call.method === READ && record) return { ...(record as object), id: String(call.id) };
    const reply = await tools.next();
    if (call.method === DISCONNECT && isDone(reply)) removed.add(credOf(call).user);
    const own = userOf.get(exchangeToken) as { user?: unknown; token?: unknown } | undefined;
    if (call.method !== AUTHENTICATE || isDone(reply) || !own || !removed.has(own.user)) return reply;
    const linked = await success(call, tools.parts);
    half.set(own.token, linked);
    return linked;
  };
});

export const raceDefects: readonly EhrDefect[] = [
  {
    id: 'exchange-token-redeemed-twice',
    title: 'One exchange token that is used several times at the same moment opens each time',
    change: looksFirst(AUTHENTICATE, (call) => paramsOf(call).exchangeToken),
    caughtBy: 'exchange-token-opened-once-at-once',
    seenIn: ['supabase/auth#2613', 'ory/fosite#778', 'twentyhq/twenty#26025'],
  },
  {
    id: 'patient-linked-by-several',
    title: 'One patient whom several users link at the same moment is linked by each of them',
    change: looksFirst(AUTHENTICATE, (call) => propertiesIn(call).phone),
    caughtBy: 'patient-linked-once-at-once',
  },
  {
    id: 'token-stored-by-several',
    title: 'One session token that is saved several times at the same moment is stored each time',
    change: looksFirst(SAVE, (call) => authInfoOf(call).token),
    caughtBy: 'token-stored-once-at-once',
  },
  {
    id: 'exchange-token-stored-by-several',
    title: 'One exchange token that is saved several times at the same moment is stored each time',
    change: looksFirst(SAVE_EXCHANGE_TOKEN, (call) => paramsOf(call).exchangeToken),
    caughtBy: 'exchange-token-stored-once-at-once',
  },
  {
    id: 'disconnect-cached',
    title: 'Reads are answered from a cache, which a removal does not clear',
    change: cachesReads,
    caughtBy: 'nothing-read-after-removal',
    seenIn: ['mitreid-connect/OpenID-Connect-Java-Spring-Server#837', 'keygen-sh/keygen-api#651'],
  },
  {
    id: 'guesses-counted-late',
    title: 'Failures of an exchange token are looked at first and counted later: those at the same moment are one',
    change: countsLate,
    caughtBy: 'guesses-counted-at-once',
    seenIn: ['birkir/prime#544'],
  },
  {
    id: 'guesses-of-batch-counted-once',
    title: 'Failures of an exchange token are counted by the request: those of a batch are one',
    change: countsBatchesOnce,
    caughtBy: 'guesses-counted-in-batch',
    seenIn: ['graphql-dotnet/server#1135'],
  },
  {
    id: 'removal-meets-link',
    title: 'A removal and a link of one user at the same moment end in an internal error',
    change: removalFails,
    caughtBy: 'removal-meets-authenticate',
    seenIn: ['spring-projects/spring-session#1031'],
  },
  {
    id: 'removal-leaves-half-a-link',
    title: 'A removal and a link of one user at the same moment leave a session without its link',
    change: leavesHalf,
    caughtBy: 'removal-meets-authenticate',
    seenIn: ['spring-projects/spring-session#1031'],
  },
];
