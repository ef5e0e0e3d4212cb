/** Defects that say yes where a right server refuses. */
import { saysYes } from '../changes.ts';
import { defects } from '../defect.ts';
import { AUTHENTICATE, DISCONNECT, LOG_OUT, READ, SAVE, SAVE_EXCHANGE_TOKEN } from '../methods.ts';

export const wavedDefects = defects({
  'foreign-token-announced': {
    title: "An exchange token is saved for another user's session token",
    change: saysYes(SAVE_EXCHANGE_TOKEN, 'token_already_stored'),
    caughtBy: 'foreign-session-not-announced',
  },
  'foreign-session-opened': {
    title: "authenticate opens a session whose token has become another user's",
    change: saysYes(AUTHENTICATE, 'token_already_stored'),
    caughtBy: 'foreign-session-not-opened',
  },
  'exchange-token-saved-twice': {
    title: 'A second save of an exchange token is acknowledged',
    change: saysYes(SAVE_EXCHANGE_TOKEN, 'exchange_token_already_stored'),
    caughtBy: 'exchange-token-not-saved-twice',
  },
  'any-exchange-token-opens': {
    title: 'The exchange token of authenticate is never looked up',
    change: saysYes(AUTHENTICATE, 'exchange_token_unknown'),
    caughtBy: 'exchange-token-unknown',
  },
  'exhausted-token-goes-on': {
    title: 'An exchange token works however many matches have failed with it',
    change: saysYes(AUTHENTICATE, 'exchange_token_exhausted'),
    caughtBy: 'exchange-token-exhausted',
  },
  'exchange-token-without-end': {
    title: 'An exchange token never expires',
    change: saysYes(AUTHENTICATE, 'exchange_token_expired'),
    caughtBy: 'exchange-token-expires',
  },
  'repeated-save-acknowledged': {
    title: 'A repeated save of a session is acknowledged',
    change: saysYes(SAVE, 'token_already_stored'),
    caughtBy: 'repeated-save-refused',
  },
  'recorded-without-end': {
    title: 'The session that authenticate stored is recorded as often as it is saved',
    change: saysYes(SAVE, 'token_already_stored'),
    caughtBy: 'first-save-records',
  },
  'token-unique-per-user': {
    title: 'The same session token is stored for several users',
    change: saysYes(SAVE, 'token_already_stored'),
    caughtBy: 'token-unique-across-users',
  },
  'expired-token-saved-again': {
    title: 'The token of an expired session is saved once more',
    change: saysYes(SAVE, 'token_already_stored'),
    caughtBy: 'expired-token-stays-taken',
  },
  'unknown-user-saved': {
    title: 'A session is saved for a user who was never linked',
    change: saysYes(SAVE, 'user_unknown'),
    caughtBy: 'unknown-user-not-saved',
  },
  'second-patient-linked': {
    title: 'A user who is linked to one patient links another',
    change: saysYes(AUTHENTICATE, 'patient_already_matched'),
    caughtBy: 'other-patient-refused',
  },
  'patient-of-two-users': {
    title: 'A patient who is linked to one user is linked by another',
    change: saysYes(AUTHENTICATE, 'patient_already_linked'),
    caughtBy: 'linked-patient-refused',
  },
  'expired-session-read': {
    title: 'get_patient is answered after the ttl: the stored time is never compared',
    change: saysYes(READ, 'session_expired'),
    caughtBy: 'ttl-in-minutes',
    seenIn: ['kellnr/kellnr#1245', 'socketry/utopia#19'],
  },
  'expired-session-logs-out': {
    title: 'An expired session is logged out',
    change: saysYes(LOG_OUT, 'session_expired'),
    caughtBy: 'expired-session-removes-nothing',
  },
  'expired-session-disconnects': {
    title: 'An expired session removes the link of its user',
    change: saysYes(DISCONNECT, 'session_expired'),
    caughtBy: 'expired-session-removes-nothing',
  },
  'strangers-save': {
    title: 'save_auth_info takes a cred of any user and any digest',
    change: saysYes(SAVE, 'not_authorized'),
    caughtBy: 'save-digest-verified',
    seenIn: ['cobbler/cobbler#1916 (CVE-2018-1000226)'],
  },
  'strangers-save-exchange-tokens': {
    title: 'save_exchange_token takes a cred of any user and any digest',
    change: saysYes(SAVE_EXCHANGE_TOKEN, 'not_authorized'),
    caughtBy: 'exchange-token-digest-verified',
    seenIn: ['cobbler/cobbler#1916 (CVE-2018-1000226)'],
  },
  'strangers-log-out': {
    title: 'remove_auth_info does not verify its cred',
    change: saysYes(LOG_OUT, 'not_authorized'),
    caughtBy: 'removal-needs-session',
    seenIn: ['cobbler/cobbler#1916 (CVE-2018-1000226)'],
  },
  'card-need-not-fit': {
    title: 'With MEDCARD any phone finds a patient',
    change: saysYes(AUTHENTICATE, 'patient_not_matched'),
    caughtBy: 'medcard-strategy',
  },
  'guesses-without-end': {
    title: 'Failed matches of a user are counted, and limit nothing',
    change: saysYes(AUTHENTICATE, 'too_many_failed_matches'),
    caughtBy: 'guesses-of-user-limited',
  },
});
