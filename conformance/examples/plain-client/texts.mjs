/** What a person is told when a server refuses: what happened, and a way on (§7). */

/** The screen on which the person is then, and the sentence there. */
const TEXTS = {
  otp_wrong: ['code', 'This code is wrong. Look at the newest message, and try again.'],
  otp_expired: ['code', 'This code is too old. Ask for a new one.'],
  otp_exhausted: ['code', 'Too many wrong codes were entered. Ask for a new one.'],
  otp_throttled: ['error', 'A code was sent a moment ago. Enter it, or wait half a minute and ask for a new one.'],
  otp_limit_reached: ['error', 'Too many codes were sent to this phone today. Try again tomorrow.'],
  signed_out: ['signedOut', 'You are signed in no longer. Please sign in again.'],
  patient_not_matched: ['form', 'No record was found by these details. Check each of them, or ask your clinic.'],
  record_gone: ['error', 'Your record cannot be shown any more. Ask your clinic, and try again then.'],
  patient_already_matched: ['form', 'You are connected to the record of another person. Disconnect it first.'],
  patient_already_linked: [
    'form',
    'This record is connected to another user. Sign in as that user, or ask your clinic.',
  ],
  too_many_failed_matches: ['form', 'There were too many attempts. Wait an hour, check the details, and try again.'],
  exchange_token_unknown: ['form', 'The form could not be sent in time. Please send it again.'],
  exchange_token_expired: ['form', 'The form was open for too long. Please send it again.'],
  exchange_token_exhausted: ['form', 'There were too many attempts. Check the details, and send the form again.'],
  token_already_stored: ['error', 'Your sign-in is too old to connect a record. Log out, and sign in again.'],
  user_unknown: ['error', 'Your record was found, but the sign-in service has no entry for you. Ask your clinic.'],
  nothing_to_end: ['error', 'The EHR server has no session of yours to end. Choose it again to leave the rest, too.'],
  ehr_refused: ['error', 'The EHR server refused the sign-in service. Try again, and tell your clinic if it goes on.'],
  ehr_unreachable: ['error', 'The sign-in service cannot reach the EHR server. Try again in a minute.'],
  ehr_timeout: ['error', 'The EHR server takes too long to answer the sign-in service. Try again in a minute.'],
  ehr_bad_reply: ['error', 'The sign-in service did not understand the EHR server. Try again in a minute.'],
  no_answer: ['error', 'The server gave no answer that makes sense. Check your connection, and try again.'],
  internal_error: ['error', 'The server failed. Try again in a minute.'],
};

/**
 * Explains a refusal. One that is not known is told by its name, so that somebody can help.
 * @param {import('./rpc.mjs').Refused} refusal
 * @param {boolean} isFormOpen
 */
export function explain({ code, reason, details }, isFormOpen) {
  if (reason === 'invalid_params')
    return {
      sees: isFormOpen ? 'form' : 'error',
      text: `Something was not understood. Correct it, and try again. ${details.join(' ')}`.trim(),
    };
  const unknown = ['error', `The server refused this (${reason ?? code}). Try again, or ask your clinic.`];
  const [sees, text] = TEXTS[reason] ?? unknown;
  // There is nothing to correct on a form that is not open.
  return { sees: sees === 'form' && !isFormOpen ? 'error' : sees, text };
}
