/** Defects that say yes where a right server refuses: one row for each method and reason. */
import type { Reason } from '#protocol/wire/errors.ts';
import { type EhrDefect, fromRow } from '../defect.ts';
import { AUTHENTICATE, DISCONNECT, LOG_OUT, READ, SAVE, SAVE_EXCHANGE_TOKEN, saysYes } from './messages.ts';

type Row = readonly [id: string, title: string, method: string, reason: Reason, caughtBy: string, ...seenIn: string[]];

const ROWS: readonly Row[] = [
  [
    'foreign-token-announced',
    "An exchange token is saved for another user's session token",
    SAVE_EXCHANGE_TOKEN,
    'token_already_stored',
    'foreign-session-not-announced',
  ],
  [
    'foreign-session-opened',
    "authenticate opens a session whose token has become another user's",
    AUTHENTICATE,
    'token_already_stored',
    'foreign-session-not-opened',
  ],
  [
    'exchange-token-saved-twice',
    'A second save of an exchange token is acknowledged',
    SAVE_EXCHANGE_TOKEN,
    'exchange_token_already_stored',
    'exchange-token-not-saved-twice',
  ],
  [
    'any-exchange-token-opens',
    'The exchange token of authenticate is never looked up',
    AUTHENTICATE,
    'exchange_token_unknown',
    'exchange-token-unknown',
  ],
  [
    'exhausted-token-goes-on',
    'An exchange token works however many matches have failed with it',
    AUTHENTICATE,
    'exchange_token_exhausted',
    'exchange-token-exhausted',
  ],
  [
    'exchange-token-without-end',
    'An exchange token never expires',
    AUTHENTICATE,
    'exchange_token_expired',
    'exchange-token-expires',
  ],
  [
    'repeated-save-acknowledged',
    'A repeated save of a session is acknowledged',
    SAVE,
    'token_already_stored',
    'repeated-save-refused',
  ],
  [
    'recorded-without-end',
    'The session that authenticate stored is recorded as often as it is saved',
    SAVE,
    'token_already_stored',
    'first-save-records',
  ],
  [
    'token-unique-per-user',
    'The same session token is stored for several users',
    SAVE,
    'token_already_stored',
    'token-unique-across-users',
  ],
  [
    'expired-token-saved-again',
    'The token of an expired session is saved once more',
    SAVE,
    'token_already_stored',
    'expired-token-stays-taken',
  ],
  [
    'unknown-user-saved',
    'A session is saved for a user who was never linked',
    SAVE,
    'user_unknown',
    'unknown-user-not-saved',
  ],
  [
    'second-patient-linked',
    'A user who is linked to one patient links another',
    AUTHENTICATE,
    'patient_already_matched',
    'other-patient-refused',
  ],
  [
    'patient-of-two-users',
    'A patient who is linked to one user is linked by another',
    AUTHENTICATE,
    'patient_already_linked',
    'linked-patient-refused',
  ],
  [
    'expired-session-read',
    'get_patient is answered after the ttl: the stored time is never compared',
    READ,
    'session_expired',
    'ttl-in-minutes',
    'kellnr/kellnr#1245',
    'socketry/utopia#19',
  ],
  [
    'expired-session-logs-out',
    'An expired session is logged out',
    LOG_OUT,
    'session_expired',
    'expired-session-removes-nothing',
  ],
  [
    'expired-session-disconnects',
    'An expired session removes the link of its user',
    DISCONNECT,
    'session_expired',
    'expired-session-removes-nothing',
  ],
  [
    'strangers-save',
    'save_auth_info takes a cred of any user and any digest',
    SAVE,
    'not_authorized',
    'save-digest-verified',
    'cobbler/cobbler#1916 (CVE-2018-1000226)',
  ],
  [
    'strangers-save-exchange-tokens',
    'save_exchange_token takes a cred of any user and any digest',
    SAVE_EXCHANGE_TOKEN,
    'not_authorized',
    'exchange-token-digest-verified',
    'cobbler/cobbler#1916 (CVE-2018-1000226)',
  ],
  [
    'strangers-log-out',
    'remove_auth_info does not verify its cred',
    LOG_OUT,
    'not_authorized',
    'removal-needs-session',
    'cobbler/cobbler#1916 (CVE-2018-1000226)',
  ],
  [
    'card-need-not-fit',
    'With MEDCARD any phone finds a patient',
    AUTHENTICATE,
    'patient_not_matched',
    'medcard-strategy',
  ],
  [
    'guesses-without-end',
    'Failed matches of a user are counted, and limit nothing',
    AUTHENTICATE,
    'too_many_failed_matches',
    'guesses-of-user-limited',
  ],
];

export const wavedDefects: readonly EhrDefect[] = ROWS.map(([id, title, method, reason, ...found]) =>
  fromRow([id, title, saysYes(method, reason), ...found]),
);
