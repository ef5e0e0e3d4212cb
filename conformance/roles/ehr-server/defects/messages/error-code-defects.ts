/** Defects of codes: each reason is answered by the code of another. */

import { isObject } from '#protocol/wire/envelope.ts';
import { errorTable, type Reason } from '#protocol/wire/errors.ts';
import type { EhrChange } from '../../self-test/serve.ts';
import type { EhrDefect } from '../defect.ts';

/** Each reason with the one that is told in its place. */
const TOLD_AS = {
  not_authorized: 'session_expired',
  session_expired: 'not_authorized',
  exchange_token_unknown: 'exchange_token_expired',
  exchange_token_expired: 'exchange_token_unknown',
  exchange_token_exhausted: 'patient_not_matched',
  too_many_failed_matches: 'exchange_token_exhausted',
  access_forbidden: 'method_not_found',
  patient_already_matched: 'patient_already_linked',
  patient_not_matched: 'invalid_params',
  token_already_stored: 'exchange_token_already_stored',
  exchange_token_already_stored: 'token_already_stored',
  user_unknown: 'not_authorized',
  patient_already_linked: 'patient_not_matched',
  invalid_params: 'invalid_request',
} as const satisfies Partial<Record<Reason, Reason>>;

const tellsAs = (reason: Reason, other: Reason): EhrChange => ({
  pipeline: (pipeline) => async (text, channel) => {
    const answer = await pipeline(text, channel);
    const reply: unknown = answer.body?.startsWith('{') ? JSON.parse(answer.body) : undefined;
    const error = isObject(reply) && isObject(reply.error) ? reply.error : undefined;
    if (!isObject(error?.data) || error.data.reason !== reason) return answer;
    const { code, message } = errorTable[other];
    return {
      ...answer,
      body: JSON.stringify({ ...(reply as object), error: { code, message, data: { reason: other } } }),
    };
  },
});

/** Scenarios in which a reason is certain to be given; the first of its check unless here. */
const PLAYING: Partial<Record<Reason, readonly string[]>> = { too_many_failed_matches: ['guesses-of-user-limited'] };

export const errorCodeDefects: readonly EhrDefect[] = Object.entries(TOLD_AS).map(([reason, other]) => {
  const playing = PLAYING[reason as Reason];
  const name = reason.replaceAll('_', '-');
  return {
    id: `${name}-by-other-code`,
    title: `A refusal for ${reason} is told as ${other}`,
    change: tellsAs(reason as Reason, other),
    caughtBy: `code-of-${name}`,
    ...(playing && { playing }),
  };
});
