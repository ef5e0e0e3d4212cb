/**
 * Defects of an EHR server in exchange tokens: what an exchange token opens, how often, and how long. A key
 * is the check that must find the defects below it. A text `id: title` begins a defect; its change of the
 * right server follows, then `owner/repo#number` of public systems that had the defect.
 */
import { memoryStore } from '#ehr-server/store/memory.ts';
import type { Attempt } from '#ehr-server/store/store.ts';
import { done, refused } from '../../../../engine/defects/operators.ts';
import { no, yes } from '../../../../engine/defects/rpc-call.ts';
import type { EhrChange } from '../../self-test/serve.ts';
import {
  after,
  before,
  both,
  type EhrTurn,
  instead,
  memoised,
  pendingOf,
  success,
  withStore,
} from '../changes.ts';
import { foundBy } from '../defect.ts';
import { AUTHENTICATE, READ } from '../methods.ts';

const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;
/** Failed matches in an hour after which a right server locks a user, and a wrong one everybody. */
const MAX_FAILURES = 20;

/** Change each attempt to match a patient, before the store sees it. */
const inAttempts = (change: (attempt: Attempt) => Partial<Attempt>): EhrChange =>
  withStore((store) => ({
    refusalOf: (attempt) => store.refusalOf({ ...attempt, ...change(attempt) }),
    link: (request) => store.link({ ...request, ...change(request) }),
    countFailure: (attempt) => store.countFailure({ ...attempt, ...change(attempt) }),
  }));

/** Let exchange tokens be older than they are; less than 0: younger. */
const agedBy = (ms: number) => inAttempts(({ now }) => ({ now: now + ms }));

/** Count each failed match so many times. */
const countsTimes = (times: number): EhrChange =>
  withStore((store) => ({
    async countFailure(attempt) {
      const first = await store.countFailure(attempt);
      for (let more = 1; more < times; more++) await store.countFailure(attempt);
      return first;
    },
  }));

/** Refuse authenticate as after too many failed matches, where the function says so. */
const locks = (isLocked: (turn: EhrTurn) => boolean) =>
  instead(AUTHENTICATE, (turn) => (isLocked(turn) ? no('too_many_failed_matches') : undefined));

/** Answer a second use of an exchange token with the reply to the first. */
export const repliesAgain = memoised(AUTHENTICATE, ({ params }) => params.exchangeToken);

/** Open the session of the cred in authenticate, and not the one for which the exchange token was saved. */
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
    'Altinn/altinn-studio#4085',
    'exchange-token-five-minutes: An exchange token lives five minutes',
    agedBy(5 * MINUTE_MS),
  ],
  'over-at-the-instant': [
    'exchange-token-half-a-second-longer: A tolerance of half a second keeps exchange tokens alive after their end',
    agedBy(-SECOND_MS / 2),
  ],
  'failed-match-keeps-exchange-token': [
    'one-attempt-alone: The first failed match uses up the exchange token',
    countsTimes(5),
    'failures-counted-twice: Each failed match is counted twice',
    countsTimes(2),
  ],
  'exchange-token-exhausted': [
    'failures-not-counted: Failed matches are not counted',
    withStore(() => ({ countFailure: async () => undefined })),
  ],
  'exchange-tokens-independent': [
    'newest-exchange-token-alone: A new exchange token of a session ends the one before',
    instead(AUTHENTICATE, (turn) => {
      const pending = pendingOf(turn);
      const newest = [...turn.seen.exchangeTokens].findLast(([, { token }]) => token === pending?.token);
      return newest && newest[0] !== turn.params.exchangeToken ? no('exchange_token_unknown') : undefined;
    }),
  ],
  'exchange-tokens-of-five-newest': [
    'pending-without-limit: A session may have any number of exchange tokens pending',
    after(refused(AUTHENTICATE, 'exchange_token_unknown'), (turn) =>
      pendingOf(turn) && !turn.seen.used.has(String(turn.params.exchangeToken)) ? success(turn) : undefined,
    ),
  ],
  'guesses-of-user-limited': [
    'guesses-of-token-alone: Failed matches are counted for each exchange token alone',
    { parts: () => ({ store: memoryStore({ audit: true, failedMatchesPerHour: Number.MAX_SAFE_INTEGER }) }) },
    'user-locked-for-good: A user with too many failed matches is locked for good',
    locks((turn) => {
      const userOf = (call: Pick<EhrTurn, 'params'>) => pendingOf({ ...call, seen: turn.seen })?.user;
      const locked = turn.seen.refused(AUTHENTICATE, 'too_many_failed_matches');
      return locked.some((call) => userOf(call) === userOf(turn));
    }),
    'one-user-locks-all: Too many failed matches of one user lock every user',
    locks(({ seen }) => seen.refused(AUTHENTICATE, 'patient_not_matched').length >= MAX_FAILURES),
  ],
  'guesses-of-phone-limited': [
    'guesses-of-user-alone: Failed matches are counted for the user alone, and not for the phone',
    inAttempts(() => ({ guessed: [] })),
  ],
});
