/**
 * Defects of an EHR server in the codes of refusals: for each reason one defect, which refuses with the code
 * of another reason.
 */
import type { Reason } from '#protocol/wire/errors.ts';
import { no, reasonOf } from '../../../../engine/defects/rpc-call.ts';
import { foundBy } from '../defect.ts';
import { inReplies } from './bodies.ts';

/** The key is the right reason, the value the reason whose code the wrong server tells in its place. */
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

/** The scenarios to play for a reason that does not occur in the first scenarios of its check. */
const PLAYING: Partial<Record<string, readonly string[]>> = {
  too_many_failed_matches: ['guesses-of-user-limited'],
};

export const errorCodeDefects = Object.entries(TOLD_AS).flatMap(([reason, other]) => {
  const name = reason.replaceAll('_', '-');
  const playing = PLAYING[reason];
  const change = inReplies((reply) => (reasonOf(reply) === reason ? { ...reply, ...no(other) } : reply));
  return foundBy({
    [`code-of-${name}`]: [
      `${name}-by-other-code: A refusal for ${reason} is told as ${other}`,
      change,
      { ...(playing && { playing }) },
    ],
  });
});
