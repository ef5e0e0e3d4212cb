/** Clients that go on with what is over, or that a right server of another make stops. */
import { type ClientDefect, defect, defectOfKeeper } from './defect.ts';

const FIRST = 'ehr-first-in-every-ending';
const OTHERS = 'replies-of-other-servers';

export const sessionDefects: readonly ClientDefect[] = [
  defect('former-session-goes-on', 'It leaves the session of the person before open', 'former-session-ended'),
  defect(
    'former-session-ended-at-ehr-alone',
    'It ends the session of the person before at the EHR server alone',
    'former-session-ended',
  ),
  defect('ttl-in-seconds', 'It takes the ttl of its session for seconds', 'ttl-in-minutes'),
  defect('leaves-with-ehr-call-alone', 'It leaves with the call to the EHR server alone', 'leaving-logs-out'),
  defect(
    'never-out-at-auth',
    'It forgets its session, and leaves it open, when the EHR server knows none',
    'session-ended-at-auth-server',
  ),
  defect(
    'expired-is-ended',
    'It takes an expired session for a logout that has succeeded',
    'logout-after-success-alone',
  ),
  defect(
    'exchange-token-used-after-success',
    'It tries the exchange token of a link again for the next one',
    'exchange-token-used-once',
  ),
  defect(
    'exchange-token-used-after-expiry',
    'It tries an exchange token again that has expired',
    'exchange-token-used-once',
  ),
  defect(
    'signature-of-former-link-sent',
    'It sends the user_sign of the first link after a new one',
    'user-sign-of-own-link',
  ),
  defect('signature-to-ehr', 'It sends the user_sign back to the EHR server', 'user-sign-to-auth-server-alone'),
  defect('wrong-codes-lock-out', 'It refuses every code after three wrong ones', 'wrong-codes-in-a-row'),
  defect('ids-must-be-texts', 'It refuses replies whose id is a number', OTHERS),
  defect('refuses-unknown-members', 'It refuses replies with members that it does not know', OTHERS),
  defect('decides-by-reason-alone', 'It refuses errors without a reason', 'errors-by-number-alone'),
  defect('auth-first-when-leaving', 'It calls auth.logout first when the person leaves', FIRST),
  defect('second-press-forces', 'Its second press goes to the authorization server, whatever the first met', FIRST),
  defect(
    'second-deletion-forces',
    'Its second deletion goes to the authorization server, whatever the first met',
    'ehr-first-in-every-ending',
  ),
  defect('no-answer-is-logout', 'It takes a removal without an answer for done', 'logout-after-success-alone'),
  defectOfKeeper(
    'signatures-of-all-dropped-at-disconnection',
    'A disconnection drops the user_sign of everybody',
    'signs-of-others-kept',
    'user-sign-kept',
  ),
  defectOfKeeper(
    'signatures-of-all-dropped-at-deletion',
    'A deletion drops the user_sign of everybody',
    'signs-of-others-kept',
    'user-sign-kept',
  ),
  defect('long-ttl-refused', 'It refuses a session of more than a year', 'ttl-in-minutes'),
  defect('reply-to-nobody-taken', 'It takes a reply with the id null', 'replayed-sign-in-refused'),
  defect(
    'deletion-left-out-unsaid',
    'It says that the account is deleted where the EHR server knows no session, without a further call',
    'deletion-not-left-out',
  ),
  defect(
    'deletion-left-out-at-second-press',
    'At the second press for a deletion it forgets the session, and calls nobody',
    'deletion-not-left-out',
  ),
  defect(
    'dead-exchange-token-as-mismatch',
    'It tells an exchange token that leads nowhere as details that fit nobody',
    'dead-exchange-token-told-apart',
  ),
  defect(
    'dead-exchange-token-signs-out',
    'It signs the person out when an exchange token leads nowhere',
    'dead-exchange-token-told-apart',
  ),
  defectOfKeeper(
    'signature-dropped-at-refused-report',
    'It forgets the user_sign when the report of the link is refused',
    'refused-report-keeps-sign',
    'user-sign-kept',
  ),
  defect(
    'code-screen-after-restart',
    'After a restart it asks for a code that it did not ask for',
    'restart-keeps-session',
  ),
];
