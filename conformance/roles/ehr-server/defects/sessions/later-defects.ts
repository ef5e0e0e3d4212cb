/** Defects of an EHR server that show themselves later, and in the errors that tell a client to link. */
import { ANY, refused } from '../../../../engine/defects/operators.ts';
import { no } from '../../../../engine/defects/rpc-call.ts';
import { after, type EhrTurn, type EhrWhich, success } from '../changes.ts';
import { foundBy } from '../defect.ts';
import { AUTHENTICATE, READ } from '../methods.ts';

const DAY_MS = 86_400_000;

/** Take a call that was refused for this reason, a day after the first such refusal. */
const forgetsAfterADay = (which: EhrWhich, reason: Parameters<typeof refused>[1]) =>
  after(refused(which, reason), (turn: EhrTurn) => {
    const now = turn.parts.clock.now();
    const notes = turn.seen.notes<number>('first refusal');
    const first = notes.get(reason) ?? now;
    notes.set(reason, first);
    return now - first > DAY_MS ? success(turn) : undefined;
  });

export const laterDefects = foundBy({
  'spent-stays-spent': [
    'used-token-forgotten: A clean-up forgets that an exchange token was used',
    forgetsAfterADay(AUTHENTICATE, 'exchange_token_unknown'),
    'expired-token-forgotten: A clean-up forgets that an exchange token has expired',
    forgetsAfterADay(AUTHENTICATE, 'exchange_token_expired'),
    'expired-session-forgotten: A clean-up forgets that a session has expired',
    forgetsAfterADay(READ, 'session_expired'),
    'logout-forgotten: A clean-up forgets that a session was logged out',
    forgetsAfterADay(READ, 'not_authorized'),
  ],
  'code-of-patient-not-matched': [
    'nobody-fits-as-no-session: Properties that fit nobody have the error of no session',
    after(refused(AUTHENTICATE, 'patient_not_matched'), () => no('not_authorized')),
  ],
  'code-of-read-without-session': [
    'no-session-as-nobody-fits: No session has the error of properties that fit nobody',
    after(refused(READ, 'not_authorized'), () => no('patient_not_matched')),
  ],
  'not-authenticated-told-apart': [
    'no-session-as-no-method: No session has the error of an unknown method',
    after(refused(ANY, 'not_authorized'), () => no('method_not_found')),
  ],
});
