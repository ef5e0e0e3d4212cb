/**
 * Defects of an EHR server in calls at the same moment: it reads its state first and writes it later, so that
 * two calls meet in between. A key is the check that must find the defects below it. A text `id: title`
 * begins a defect; its change of the right server follows.
 */

import { inEnvelope, no, type RpcCall, replyIdOf } from '../../../engine/defects/rpc-call.ts';
import type { EhrChange } from '../self-test/serve.ts';
import { aMoment, around, joined } from './changes.ts';
import { foundBy } from './defect.ts';
import { bodyOf } from './messages/bodies.ts';
import { AUTHENTICATE, SAVE } from './methods.ts';
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

export const raceDefects = foundBy({
  'exchange-token-opened-once-at-once': [
    'exchange-token-redeemed-twice: One exchange token opens as often as it is used at the same moment',
    joined(AUTHENTICATE, ({ params }) => params.exchangeToken),
  ],
  'token-stored-once-at-once': [
    'token-stored-by-several: One session token is stored as often as it comes at the same moment',
    joined(SAVE, ({ authInfo }) => authInfo.token),
  ],
  'nothing-read-after-removal': [
    'disconnect-cached: Reads are answered from a cache, which a removal does not clear',
    cachesReads,
  ],
  'guesses-counted-at-once': [
    'guesses-counted-late: Failures of an exchange token at the same moment are counted as one',
    countsLate,
  ],
  'guesses-counted-in-batch': [
    'guesses-of-batch-counted-once: Failures of an exchange token in one batch are counted as one',
    countsBatchesOnce,
  ],
});
