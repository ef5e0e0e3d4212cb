/** What a person reads when a server refuses a call: what happened, and what to do next (§7). */

/** For an exchange token that does not work any more. */
const SEND_AGAIN = ['form', 'The form could not be sent in time. Please send it again.'];

/** The screen and its sentence, by the code of the error, or by a word of this client. */
const TEXTS = {
  '-32602': ['form', 'Something was not understood. Correct it, and try again.'],
  '-33000': SEND_AGAIN,
  '-33001': SEND_AGAIN,
  '-33002': SEND_AGAIN,
  '-33003': ['form', 'There were too many attempts. Wait an hour, check the details, and try again.'],
  '-34000': ['form', 'You are connected to the record of another person. Disconnect it first.'],
  '-34001': ['form', 'No record was found by these details. Check each of them, or ask your clinic.'],
  '-34009': ['form', 'This record is connected to another user. Ask your clinic.'],
  '-35000': ['code', 'This code is wrong. Look at the newest message, and try again.'],
  '-35001': ['code', 'This code is too old. Ask for a new one.'],
  '-35002': ['code', 'Too many wrong codes were entered. Ask for a new one.'],
  signed_out: ['signedOut', 'You are signed in no longer. Please sign in again.'],
  nothing_to_end: [
    'error',
    'The EHR server has no session of yours to end. Log out or delete your account to leave the rest, too.',
  ],
  no_answer: ['error', 'The server gave no answer that makes sense. Check your connection, and try again.'],
};
/** For every other code. */
const REFUSED = ['error', 'The server refused this. Try again in a minute, or ask your clinic.'];

/**
 * Explains an error. When the form is not open, there is nothing to correct, so the person sees an error
 * screen.
 */
export function explain({ code }, isFormOpen) {
  const [sees, text] = TEXTS[code] ?? REFUSED;
  return { sees: sees === 'form' && !isFormOpen ? 'error' : sees, text };
}
