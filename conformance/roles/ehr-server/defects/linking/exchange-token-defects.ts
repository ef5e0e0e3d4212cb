/** Defects of an EHR server in what an exchange token opens, how often, and how long. */
import type { Attempt } from '#ehr-server/store/store.ts';
import { done, refused } from '../../../../engine/defects/operators.ts';
import { yes } from '../../../../engine/defects/rpc-call.ts';
import type { EhrChange } from '../../self-test/serve.ts';
import { after, before, both, foundBy, memoised, pendingOf, withStore } from '../changes.ts';
import { AUTHENTICATE, READ } from '../methods.ts';

const MINUTE_MS = 60_000;

const inAttempts = (change: (attempt: Attempt) => Partial<Attempt>): EhrChange =>
  withStore((store) => ({
    refusalOf: (attempt) => store.refusalOf({ ...attempt, ...change(attempt) }),
    link: (request) => store.link({ ...request, ...change(request) }),
    countFailure: (attempt) => store.countFailure({ ...attempt, ...change(attempt) }),
  }));

/** A negative age makes exchange tokens younger. */
const agedBy = (ms: number) => inAttempts(({ now }) => ({ now: now + ms }));

const repliesAgain = memoised(AUTHENTICATE, ({ params }) => params.exchangeToken);

const opensForCaller = both(
  after(done(AUTHENTICATE), (turn) => {
    turn.seen.notes<unknown>('opened').set(turn.cred.token, pendingOf(turn));
  }),
  before(READ, ({ call, cred, seen }) => {
    const announced = cred.token !== undefined && seen.notes<unknown>('opened').get(cred.token);
    return announced ? { ...call, cred: announced } : undefined;
  }),
);

export const exchangeTokenDefects = foundBy({
  'exchange-token-alone-opens-nothing': [
    'announced-session-open: The session of an exchange token is open before anybody has authenticated',
    after(refused(READ), ({ cred, seen }) =>
      seen.isAnnounced(cred.token) ? yes({ patient: null }) : undefined,
    ),
  ],
  'no-patient-no-session': [
    'failed-match-opens: An authenticate that fits nobody opens the session all the same',
    both(
      after(refused(AUTHENTICATE, 'patient_not_matched'), (turn) => {
        turn.seen.notes('tried').set(pendingOf(turn)?.token, true);
        return undefined;
      }),
      after(refused(READ), ({ cred, seen }) =>
        seen.notes('tried').has(cred.token) ? yes({ patient: null }) : undefined,
      ),
    ),
  ],
  'exchange-token-used-once': [
    'used-token-replies-again: A used exchange token is answered with the reply of its first use',
    repliesAgain,
  ],
  'exchange-token-opens-its-own-session': [
    'session-of-the-caller: authenticate opens the session of the cred in the call',
    opensForCaller,
  ],
  'exchange-token-expires': [
    'exchange-token-fifteen-minutes: A tolerance of five minutes keeps exchange tokens alive after their end',
    agedBy(-5 * MINUTE_MS),
  ],
});
