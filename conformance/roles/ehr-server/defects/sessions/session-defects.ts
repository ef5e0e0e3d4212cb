/**
 * Defects of an EHR server in sessions: how a session is opened, found, saved and ended. A key is the check
 * that must find the defects below it. A text `id: title` begins a defect; its change of the right server
 * follows.
 */

import { ANY, refused } from '../../../../engine/defects/operators.ts';
import { no } from '../../../../engine/defects/rpc-call.ts';
import { after, before, type EhrTurn, type EhrWhich, instead, success } from '../changes.ts';
import { foundBy } from '../defect.ts';
import { DISCONNECT, LOG_OUT, OF_SESSIONS, READ, REMOVALS, SAVE } from '../methods.ts';
import {
  byToken,
  cachesReads,
  completesCred,
  disconnectKeepsLink,
  keepsPending,
  leavesSessions,
  opensNothing,
  withoutCred,
} from './session-changes.ts';

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

export const sessionDefects = foundBy({
  'exchange-token-opens': [
    'authenticate-opens-nothing: authenticate links the user, and only save_auth_info opens the session',
    opensNothing,
  ],
  'no-session-no-data': [
    'token-alone-opens: get_patient looks the session up by its token, and never at its user',
    completesCred(READ, byToken),
    'newest-session-without-cred: get_patient without a cred is answered with the newest session',
    completesCred(READ, withoutCred),
  ],
  'removal-needs-session': [
    'removal-without-cred: A removal without a cred ends the newest session',
    completesCred(REMOVALS, withoutCred),
  ],
  'save-opens-linked-user': [
    'logout-removes-link: A logout removes the link of the user, too',
    before(LOG_OUT, ({ call }) => ({ ...call, method: DISCONNECT })),
  ],
  'repeated-save-refused': [
    'repeated-save-ends-session: A repeated save is refused, and ends the session',
    instead(OF_SESSIONS, ({ cred, seen }) =>
      seen.refused(SAVE, 'token_already_stored').some(({ authInfo }) => authInfo.token === cred.token)
        ? no('not_authorized')
        : undefined,
    ),
  ],
  'disconnect-ends-everything': [
    'disconnect-leaves-sessions: remove_authentication ends its own session, and leaves the others of the user',
    leavesSessions(() => true),
  ],
  'disconnect-removes-link': [
    'disconnect-keeps-link: remove_authentication ends the sessions, and new ones are saved as before',
    disconnectKeepsLink,
  ],
  'logout-ends-its-exchange-tokens': [
    'logout-leaves-exchange-tokens: A logout leaves the pending exchange tokens of its session alive',
    keepsPending(LOG_OUT),
  ],
  'disconnect-ends-exchange-tokens': [
    'disconnect-leaves-exchange-tokens: remove_authentication leaves the pending exchange tokens of the user alive',
    keepsPending(DISCONNECT),
  ],
  'logout-seen-by-next-read': [
    'logout-cached: Reads are answered from a cache, which a logout does not clear',
    cachesReads,
  ],
  'spent-stays-spent': [
    'logout-forgotten: A clean-up forgets that a session was logged out',
    forgetsAfterADay(READ, 'not_authorized'),
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
