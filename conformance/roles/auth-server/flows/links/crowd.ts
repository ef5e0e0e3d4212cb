/** Many users link at once, and one user asks for many exchange tokens. */
import type { Judgement, Steps } from '../../../../engine/check/steps.ts';
import { describe } from '../../../../engine/journal/played-steps.ts';
import type { JournalView } from '../../../../engine/journal/view.ts';
import type { Driver } from '../../people/driver.ts';
import { confirm, guess, isOutlived, TOO_MANY, TRY_COUNT } from '../codes/guesses.ts';
import { flow } from '../flow.ts';
import { isDone } from '../step-values.ts';
import { firstLink } from './first-link.ts';

const GUESSED = 'Vic';

const READ = 'crowd: get patient';

function allRead(steps: Steps, journal: JournalView): Judgement {
  const ending = journal.ending('crowd');
  if (!ending || ending.absent) steps.of(READ);
  const played = steps.own().filter(({ step }) => step.user !== GUESSED);
  const signedIn = new Set(played.map(({ step }) => step.user));
  const read = new Set(steps.all(READ).flatMap((each) => (isDone(each) ? [each.step.user] : [])));
  // Other scenarios link one user at a time. If even that fails, a failure in the crowd shows nothing new.
  const linkedAlone = journal
    .allSteps('authenticate')
    .some((each) => each.step.scenario !== 'crowd' && isDone(each));
  if (!linkedAlone) return { unclear: 'no user who was alone could be linked either' };
  if (signedIn.size > 0 && read.size === signedIn.size) return undefined;
  const bad = played.find((each) => !isDone(each));
  const why = ending?.stopped?.because ?? 'the others did not come so far';
  return {
    expected: `${signedIn.size} users read their record`,
    actual: `${read.size} did; ${bad ? `"${bad.step.label}" of ${bad.step.user}: ${describe(bad.result)}` : why}`,
    shownBy: bad ? [bad] : [],
    timeSensitive: true,
  };
}

const VIC_REQUESTS = 'Vic requests a code before the crowd';
const VIC_GUESS = 'guess at the code of Vic, between sign-ins of the crowd';
const VIC_AFTERWARDS = 'right code of Vic after many guesses';

/** The number of users, who are all at work at once: enough to keep any server busy. */
const CROWD_SIZE = 17;

export const crowd = flow({
  id: 'crowd',
  title: 'Many users sign in and link at the same time, while wrong codes are tried for one phone',
  when: 'busy',
  people: 4,
  codes: CROWD_SIZE,
  async play(driver) {
    const size = Math.min(CROWD_SIZE, driver.freePeople);
    const numbers = Array.from({ length: size }, (_, index) => index + 1);
    const guesses = await guessing(driver, size);
    await driver.forEach(
      numbers,
      (number) => `user ${number}`,
      async (user) => {
        await driver.signIn(user, 'crowd: sign in');
        await guesses?.onSignIn();
        await driver.link(user, 'crowd: link');
        await driver.mustCallEhr(user, 'getPatient', 'crowd: get patient');
      },
      size,
    );
    await guesses?.onEnd();
  },
  checks: {
    'crowd-unharmed': {
      title: 'Many users at once are all linked, each with their own record',
      requirements: ['K-requests-apart'],
      also: [firstLink],
      judge: allRead,
      advice: 'Keep nothing of a request in variables that requests share.',
    },
  },
});

/** Wrong codes in a row: few, so that a server that forgets its count at each sign-in is found. */
const GUESSES_AT_ONCE = 2;

/** `onSignIn` tries wrong codes now and then, `onEnd` the rest of them and then the right code. */
async function guessing(driver: Driver, size: number) {
  const vic = driver.adapter.has('requestOtp') ? await driver.newcomer(GUESSED) : undefined;
  if (!vic) return undefined;
  const code = await driver.code(vic, VIC_REQUESTS);
  const requestedAt = driver.time.now();
  const interval = Math.max(1, Math.floor((size * GUESSES_AT_ONCE) / TRY_COUNT));
  let signIns = 0;
  let tried = 0;
  // Guesses follow each other, although sign-ins overlap.
  let last = Promise.resolve();
  const guessMore = async (count: number) => {
    const from = tried + 1;
    tried = Math.min(tried + count, TRY_COUNT);
    await guess(driver, vic, VIC_GUESS, code, { from, to: tried });
  };
  return {
    onSignIn() {
      if (++signIns % interval === 0) last = last.then(() => guessMore(GUESSES_AT_ONCE));
      return last;
    },
    async onEnd() {
      await last;
      await guessMore(TRY_COUNT);
      if (!isOutlived(driver, requestedAt)) await confirm(driver, vic, VIC_AFTERWARDS, code, TOO_MANY);
    },
  };
}

const ROUNDS = [1, 2, 3, 4] as const;

export const manyTokens = flow({
  id: 'many-tokens',
  title: 'One user signs in many times, asks for many exchange tokens',
  waits: ({ resend }) => 3 * resend,
  async play(driver) {
    const dan = await driver.user('Dan');
    for (const round of ROUNDS) {
      if (round > 1 && !(await driver.time.passResendPause())) return;
      await driver.signIn(dan, `sign in, time ${round}`);
      await driver.mustSucceed(dan, 'exchangeToken', `exchange token a, time ${round}`);
      await driver.mustSucceed(dan, 'exchangeToken', `exchange token b, time ${round}`);
    }
  },
  checks: {},
});
