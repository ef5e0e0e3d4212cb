/**
 * Defects of an EHR server that answers with a success where a right server refuses the call for one reason.
 * A key is the check that must find the defects below it. A text `id: title` begins a defect; its change of
 * the right server follows.
 */
import { saysYes } from '../changes.ts';
import { foundBy } from '../defect.ts';
import { AUTHENTICATE, READ, SAVE, SAVE_EXCHANGE_TOKEN } from '../methods.ts';

/** Several defects have the same change: each is found by another check. */
export const wavedDefects = foundBy({
  'foreign-session-not-opened': [
    "foreign-session-opened: authenticate opens a session whose token has become another user's",
    saysYes(AUTHENTICATE, 'token_already_stored'),
  ],
  'exchange-token-unknown': [
    'any-exchange-token-opens: The exchange token of authenticate is never looked up',
    saysYes(AUTHENTICATE, 'exchange_token_unknown'),
  ],
  'exchange-token-expires': [
    'exchange-token-without-end: An exchange token never expires',
    saysYes(AUTHENTICATE, 'exchange_token_expired'),
  ],
  'repeated-save-refused': [
    'repeated-save-acknowledged: A repeated save of a session is acknowledged',
    saysYes(SAVE, 'token_already_stored'),
  ],
  'token-unique-across-users': [
    'token-unique-per-user: The same session token is stored for several users',
    saysYes(SAVE, 'token_already_stored'),
  ],
  'expired-token-stays-taken': [
    'expired-token-saved-again: The token of an expired session is saved once more',
    saysYes(SAVE, 'token_already_stored'),
  ],
  'unknown-user-not-saved': [
    'unknown-user-saved: A session is saved for a user who was never linked',
    saysYes(SAVE, 'user_unknown'),
  ],
  'ttl-in-minutes': [
    'expired-session-read: get_patient is answered after the ttl: the stored time is never compared',
    saysYes(READ, 'session_expired'),
  ],
  'session-over-at-ttl': [
    'session-without-end: The ttl of a session is stored, and never compared',
    saysYes(READ, 'session_expired'),
  ],
  'save-digest-verified': [
    'strangers-save: save_auth_info takes a cred of any user and any digest',
    saysYes(SAVE, 'not_authorized'),
  ],
  'exchange-token-digest-verified': [
    'strangers-save-exchange-tokens: save_exchange_token takes a cred of any user and any digest',
    saysYes(SAVE_EXCHANGE_TOKEN, 'not_authorized'),
  ],
  'medcard-strategy': [
    'card-need-not-fit: With MEDCARD any phone finds a patient',
    saysYes(AUTHENTICATE, 'patient_not_matched'),
  ],
});
