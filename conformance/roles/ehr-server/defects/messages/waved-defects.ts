/**
 * Defects of an EHR server that answers with a success where a right server refuses the call for one reason.
 * A key is the check that must find the defects below it. A text `id: title` begins a defect; its change of
 * the right server follows, then `owner/repo#number` of public systems that had the defect.
 */
import { saysYes } from '../changes.ts';
import { foundBy } from '../defect.ts';
import { AUTHENTICATE, DISCONNECT, LOG_OUT, READ, SAVE, SAVE_EXCHANGE_TOKEN } from '../methods.ts';

/** Several defects have the same change: each is found by another check. */
export const wavedDefects = foundBy({
  'foreign-session-not-announced': [
    "foreign-token-announced: An exchange token is saved for another user's session token",
    saysYes(SAVE_EXCHANGE_TOKEN, 'token_already_stored'),
  ],
  'foreign-session-not-opened': [
    "foreign-session-opened: authenticate opens a session whose token has become another user's",
    saysYes(AUTHENTICATE, 'token_already_stored'),
  ],
  'exchange-token-not-saved-twice': [
    'exchange-token-saved-twice: A second save of an exchange token is acknowledged',
    saysYes(SAVE_EXCHANGE_TOKEN, 'exchange_token_already_stored'),
  ],
  'exchange-token-unknown': [
    'any-exchange-token-opens: The exchange token of authenticate is never looked up',
    saysYes(AUTHENTICATE, 'exchange_token_unknown'),
  ],
  'exchange-token-exhausted': [
    'exhausted-token-goes-on: An exchange token works however many matches have failed with it',
    saysYes(AUTHENTICATE, 'exchange_token_exhausted'),
  ],
  'exchange-token-expires': [
    'exchange-token-without-end: An exchange token never expires',
    saysYes(AUTHENTICATE, 'exchange_token_expired'),
  ],
  'repeated-save-refused': [
    'repeated-save-acknowledged: A repeated save of a session is acknowledged',
    saysYes(SAVE, 'token_already_stored'),
  ],
  'first-save-records': [
    'recorded-without-end: The session that authenticate stored is recorded as often as it is saved',
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
  'other-patient-refused': [
    'second-patient-linked: A user who is linked to one patient links another',
    saysYes(AUTHENTICATE, 'patient_already_matched'),
  ],
  'linked-patient-refused': [
    'patient-of-two-users: A patient who is linked to one user is linked by another',
    saysYes(AUTHENTICATE, 'patient_already_linked'),
  ],
  'ttl-in-minutes': [
    'expired-session-read: get_patient is answered after the ttl: the stored time is never compared',
    saysYes(READ, 'session_expired'),
    'kellnr/kellnr#1245',
    'socketry/utopia#19',
  ],
  'session-over-at-ttl': [
    'session-without-end: The ttl of a session is stored, and never compared',
    saysYes(READ, 'session_expired'),
    'kellnr/kellnr#1245',
  ],
  'expired-session-removes-nothing': [
    'expired-session-logs-out: An expired session is logged out',
    saysYes(LOG_OUT, 'session_expired'),
    'expired-session-disconnects: An expired session removes the link of its user',
    saysYes(DISCONNECT, 'session_expired'),
  ],
  'save-digest-verified': [
    'strangers-save: save_auth_info takes a cred of any user and any digest',
    saysYes(SAVE, 'not_authorized'),
    'cobbler/cobbler#1916 (CVE-2018-1000226)',
  ],
  'exchange-token-digest-verified': [
    'strangers-save-exchange-tokens: save_exchange_token takes a cred of any user and any digest',
    saysYes(SAVE_EXCHANGE_TOKEN, 'not_authorized'),
    'cobbler/cobbler#1916 (CVE-2018-1000226)',
  ],
  'wrong-removal-refused': [
    'strangers-log-out: remove_auth_info does not verify its cred',
    saysYes(LOG_OUT, 'not_authorized'),
    'cobbler/cobbler#1916 (CVE-2018-1000226)',
  ],
  'medcard-strategy': [
    'card-need-not-fit: With MEDCARD any phone finds a patient',
    saysYes(AUTHENTICATE, 'patient_not_matched'),
  ],
  'guesses-of-user-limited': [
    'guesses-without-end: Failed matches of a user are counted, and limit nothing',
    saysYes(AUTHENTICATE, 'too_many_failed_matches'),
  ],
});
