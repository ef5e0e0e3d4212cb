/**
 * Defects of an EHR server in calls at the same moment: it reads its state first and writes it later, so that
 * two calls meet in between. A key is the check that must find the defects below it. A text `id: title`
 * begins a defect; its change of the right server follows, then `owner/repo#number` of public systems that
 * had the defect.
 */
import { refused } from '../../../engine/defects/operators.ts';
import {
  inEnvelope,
  type Members,
  no,
  type RpcCall,
  reasonOf,
  replyIdOf,
} from '../../../engine/defects/rpc-call.ts';
import type { EhrChange } from '../self-test/serve.ts';
import {
  after,
  aMoment,
  around,
  both,
  instead,
  joined,
  pendingOf,
  propertiesIn,
  success,
} from './changes.ts';
import { foundBy } from './defect.ts';
import { bodyOf } from './messages/bodies.ts';
import { AUTHENTICATE, DISCONNECT, READ, SAVE, SAVE_EXCHANGE_TOKEN } from './methods.ts';
import { cachesReads } from './sessions/session-changes.ts';

/** Failed matches that a right server allows with one exchange token. */
const MAX_FAILURES = 5;

/** Read the count of failed matches first, and write it a moment later: calls in between count as one. */
const countsLate = around(AUTHENTICATE, async ({ params, parts, seen, next }) => {
  const attempts = seen.notes<number>('attempts');
  const count = attempts.get(params.exchangeToken) ?? 0;
  await aMoment(parts);
  attempts.set(params.exchangeToken, count + 1);
  return count < MAX_FAILURES ? no('patient_not_matched') : next();
});

/** Count all failed matches of a batch as one: only its first call reaches the right server. */
const countsBatchesOnce: EhrChange = {
  pipeline: (pipeline) => async (text, channel) => {
    const body = bodyOf(text);
    const calls = Array.isArray(body) ? (body as RpcCall[]) : [];
    if (calls[0]?.method !== AUTHENTICATE) return pipeline(text, channel);
    await pipeline(JSON.stringify(calls[0]), channel);
    return {
      body: JSON.stringify(calls.map((call) => inEnvelope(no('patient_not_matched'), replyIdOf(call)))),
    };
  },
};

/** Answer with an internal error where authenticate and a disconnection are under way at the same time. */
const removalFails = around([AUTHENTICATE, DISCONNECT], async ({ parts, seen, next }) => {
  const linking = seen.notes<boolean>('linking');
  // A key that no other call has.
  const own = Symbol('call');
  linking.set(own, true);
  await aMoment(parts);
  const isMet = linking.size > 1;
  const reply = await next();
  linking.delete(own);
  return isMet && reasonOf(reply) !== undefined ? no('internal_error') : reply;
});

/** Open a session that has no link, where authenticate comes after a disconnection of the same user. */
const leavesHalf = both(
  after(refused(AUTHENTICATE), async (turn) => {
    const pending = pendingOf(turn);
    if (!pending || !turn.seen.done(DISCONNECT).some(({ cred }) => cred.user === pending.user))
      return undefined;
    const linked = await success(turn);
    turn.seen.notes<Members>('half').set(pending.token, linked);
    return linked;
  }),
  instead(READ, ({ cred, seen }) => seen.notes<Members>('half').get(cred.token)),
);

export const raceDefects = foundBy({
  'exchange-token-opened-once-at-once': [
    'exchange-token-redeemed-twice: One exchange token opens as often as it is used at the same moment',
    joined(AUTHENTICATE, ({ params }) => params.exchangeToken),
    'supabase/auth#2613',
    'ory/fosite#778',
    'twentyhq/twenty#26025',
  ],
  'patient-linked-once-at-once': [
    'patient-linked-by-several: One patient is linked by all users who ask at the same moment',
    joined(AUTHENTICATE, (turn) => propertiesIn(turn).phone),
  ],
  'token-stored-once-at-once': [
    'token-stored-by-several: One session token is stored as often as it comes at the same moment',
    joined(SAVE, ({ authInfo }) => authInfo.token),
  ],
  'exchange-token-stored-once-at-once': [
    'exchange-token-stored-by-several: One exchange token is stored as often as it comes at the same moment',
    joined(SAVE_EXCHANGE_TOKEN, ({ params }) => params.exchangeToken),
  ],
  'nothing-read-after-removal': [
    'disconnect-cached: Reads are answered from a cache, which a removal does not clear',
    cachesReads,
    'mitreid-connect/OpenID-Connect-Java-Spring-Server#837',
    'keygen-sh/keygen-api#651',
  ],
  'guesses-counted-at-once': [
    'guesses-counted-late: Failures of an exchange token at the same moment are counted as one',
    countsLate,
    'birkir/prime#544',
  ],
  'guesses-counted-in-batch': [
    'guesses-of-batch-counted-once: Failures of an exchange token in one batch are counted as one',
    countsBatchesOnce,
    'graphql-dotnet/server#1135',
  ],
  'removal-meets-authenticate': [
    'removal-meets-link: A removal and a link at the same moment end in an internal error',
    removalFails,
    'spring-projects/spring-session#1031',
    'removal-leaves-half-a-link: A removal and a link at the same moment leave a session without link',
    leavesHalf,
    'spring-projects/spring-session#1031',
  ],
});
