/** Checks of `kept-over-restart`: what has ended stays so. */

import type { Judgement, Steps } from '../../../../engine/check/steps.ts';
import { SAVE_AUTH_INFO, sentTo } from '../../internal-calls.ts';
import { check, refused } from '../flow.ts';
import { savedWithTtl } from '../sessions/told-ttl.ts';
import { fault, isDone, unclear, yielded } from '../step-values.ts';

export const NOT_RESTARTED =
  'the adapter names no way to start the server again with what it keeps: a step restart, or server.start without keeps: memory';

const KEEP_ENDS =
  'Write the end to disk before the client is answered, and read back at the start nothing that has ended.';

const NAN_ANEW = 'Nan signs in anew after the restart';
const [BEFORE, AFTER] = [
  'Jon asks for an exchange token before the restart',
  'Jon asks for an exchange token after the restart',
] as const;
const KAY_AFTER = 'Kay asks for an exchange token after the restart';
const [JON_FIRST, KAY_FIRST] = ['Jon signs in first', 'Kay signs in first'] as const;

/** The ttl (minutes) that the client was told; NaN where it was told none. */
function toldMinutes(steps: Steps, label: typeof JON_FIRST | typeof KAY_FIRST): number {
  const played = steps.find(label);
  return played && isDone(played) ? Number(yielded(played, 'ttl')) : Number.NaN;
}

function endsNoLater(steps: Steps): Judgement {
  // Ends the judgement if these steps were not played.
  steps.of(AFTER);
  steps.of(KAY_FIRST);
  const [before, after] = [steps.find(BEFORE), steps.of(AFTER)];
  if (!before)
    return {
      notApplicable:
        'the clock cannot be moved, or no ttl is told: a session cannot be told from a renewed one',
    };
  const shownBy = [before, after];
  // A server may also end all sessions when it stops.
  if (after.result.kind === 'refused' && isDone(before)) return undefined;
  const kay = steps.find(KAY_AFTER);
  // The minutes left as sent to the EHR server: Jon's before and after the restart, and Kay's after it.
  const [was, is, kays] = [before, after, kay].map((played) => played && savedWithTtl(played)?.ttl);
  if (was === undefined || is === undefined)
    return unclear('no call carried the ttl of the session before the restart and after it', ...shownBy);
  // One minute of tolerance: the server may round up or down.
  if (was + 1 >= toldMinutes(steps, JON_FIRST))
    return {
      notApplicable: 'the ttl that is sent does not count down, so a renewed end cannot be seen by it',
    };
  if (is <= was + 1) return undefined;
  // A restart may set the moved clock back: then Kay has more time left than she was given.
  if (kays === undefined || kays > toldMinutes(steps, KAY_FIRST))
    return unclear('the clock that was moved did not outlive the restart', ...shownBy);
  return fault(
    `at most ${was} minutes are left of the session, as before the restart`,
    `${is} minutes are left: the restart has renewed it`,
    ...shownBy,
  );
}

/** The checks of the scenario `kept-over-restart` that are about what ended before the restart. */
export const endedOverRestart = [
  check({
    id: 'logout-kept-over-restart',
    title: 'A session that was logged out stays so when the server is started again',
    requirements: ['K-ended-over-restart'],
    leftOut: NOT_RESTARTED,
    control: ['Jon logs out there'],
    expect: {
      'Jon asks there for an exchange token after the restart': refused(
        'the session that was logged out is refused',
      ),
    },
    advice: KEEP_ENDS,
  }),
  check({
    id: 'deletion-kept-over-restart',
    title: 'A user who was deleted stays so when the server is started again',
    requirements: ['K-ended-over-restart'],
    leftOut: NOT_RESTARTED,
    control: ['Nan is deleted'],
    expect: {
      'Nan asks for an exchange token after the restart': refused(
        'the session of the deleted user is refused',
      ),
    },
    judge(steps) {
      const newSignIn = steps.find(NAN_ANEW);
      if (!newSignIn || sentTo(newSignIn, SAVE_AUTH_INFO).length === 0) return undefined;
      return fault(
        'a sign-in without save_auth_info',
        'save_auth_info was sent with a user_sign from before the deletion',
        newSignIn,
      );
    },
    advice: KEEP_ENDS,
  }),
  check({
    id: 'used-code-kept-over-restart',
    title: 'A code that was used opens no session when the server is started again',
    requirements: ['K-ended-over-restart'],
    leftOut: NOT_RESTARTED,
    control: [KAY_FIRST],
    expect: {
      'the code that Kay has used is tried again after the restart': refused('the used code is refused'),
    },
    advice: KEEP_ENDS,
  }),
  check({
    id: 'session-end-kept-over-restart',
    title: 'A session ends no later when the server is started again',
    requirements: ['K-ended-over-restart', 'K-session-expires'],
    leftOut: NOT_RESTARTED,
    judge: endsNoLater,
    advice: 'Store the end of each session when it is opened, and read it back as it is.',
  }),
];
