/**
 * For every failure of a call, a sentence that a patient understands, in each language, and the way to
 * continue.
 */
import type { Reason } from '#protocol/wire/errors.ts';
import type { Failure } from './calls.ts';
import { failureTexts, serverWords } from './texts/failures.ts';
import { type Language, type MessageText, textIn } from './texts/language.ts';
import { reasonTexts } from './texts/reasons.ts';

/**
 * What the user can do, offered beside the sentence: `retry` the same call, `correct` the input, get a
 * `new-code`, or `log-out` and start again.
 */
export type Way = 'retry' | 'correct' | 'new-code' | 'log-out';

export type Message = { title: string; text: string };

const WAYS: Readonly<Record<Reason, Way>> = {
  parse_error: 'retry',
  invalid_request: 'retry',
  method_not_found: 'retry',
  invalid_params: 'correct',
  internal_error: 'retry',
  not_authorized: 'log-out',
  session_expired: 'log-out',
  exchange_token_unknown: 'retry',
  exchange_token_expired: 'retry',
  exchange_token_exhausted: 'correct',
  too_many_failed_matches: 'correct',
  access_forbidden: 'retry',
  patient_already_matched: 'correct',
  patient_not_matched: 'correct',
  token_already_stored: 'log-out',
  exchange_token_already_stored: 'retry',
  user_unknown: 'retry',
  patient_already_linked: 'log-out',
  otp_wrong: 'correct',
  otp_expired: 'new-code',
  otp_exhausted: 'new-code',
  otp_throttled: 'correct',
  otp_limit_reached: 'correct',
  ehr_unreachable: 'retry',
  ehr_timeout: 'retry',
  ehr_bad_reply: 'retry',
  ehr_refused: 'retry',
};

/** Returns the way to continue after any failure. */
export function wayAfter(failure: Failure): Way {
  return failure.kind === 'refused' && failure.reason ? WAYS[failure.reason] : 'retry';
}

/**
 * Returns the message for any failure. A refusal whose reason is not in the table gets a text of what is
 * certain about it.
 */
export function failureMessage(failure: Failure, language: Language = 'en'): Message {
  const { title, text } = textOf(failure);
  const values = {
    ...serverWords[language][failure.server],
    ...(failure.kind === 'http' && { status: failure.status }),
  };
  return { title: textIn(language, title, values), text: textIn(language, text, values) };
}

function textOf(failure: Failure): MessageText {
  switch (failure.kind) {
    case 'refused':
      return failure.reason ? reasonTexts[failure.reason] : failureTexts.unexplained;
    case 'http':
      return failure.status === 429 ? failureTexts.tooFast : failureTexts.http;
    default:
      return failureTexts[failure.kind];
  }
}
