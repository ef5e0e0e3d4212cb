/**
 * The scenario `kept-over-restart`: the authorization server is restarted, and must know as before which
 * users are linked, which sessions have ended, and which codes were used.
 */
import type { Steps } from '../../../../engine/check/steps.ts';
import { describe } from '../../../../engine/journal/describe-result.ts';
import type { Driver, User } from '../../people/driver.ts';
import { guessedCodes, unlessLimited } from '../codes/guessed-codes.ts';
import { confirm, isOutlived, otherCode, TOO_MANY, TRY_COUNT } from '../codes/guesses.ts';
import { controlDone } from '../ending.ts';
import { check, flow, refused } from '../flow.ts';
import { part } from '../labels.ts';
import { savedAtSignIn } from '../signed-in.ts';
import { isDone, yielded } from '../step-values.ts';
import { endedOverRestart, NOT_RESTARTED } from './ended-over-restart.ts';
import { KEEP_ADVICE, notKept } from './kept-sign.ts';

// Labels of steps after the restart. Jon and Kay were linked before it; wrong codes were tried for Pia's
// phone.
const PIA_AFTER = 'right code of Pia after the restart';
const [JON_RETURNS, KAY_RETURNS] = [
  'Jon returns without a signature',
  'Kay returns with her signature',
] as const;

/** The people whom the scenario needs in any case: Jon, Kay and Nan. */
const PEOPLE = 3;

export const keptOverRestart = flow({
  id: 'kept-over-restart',
  title:
    'The server is stopped and started again between a link, a logout, a deletion, and what comes after them',
  needs: ['confirmOtp', 'exchangeToken'],
  when: 'last',
  people: PEOPLE,
  codes: 8,
  waits: ({ resend }) => 2 * resend,
  async play(driver) {
    if (!driver.canRestart) return;
    // Wrong codes may lock a phone for a while. So Pia takes part only where there is a phone to spare.
    const isPiaFree = driver.freePeople > PEOPLE;
    const [jon, kay] = [await driver.user('Jon'), await driver.user('Kay')];
    await driver.signIn(jon, 'Jon signs in first');
    await driver.link(jon, 'Jon links');
    await makeOlder(driver, jon);
    const { otherDevice, nan } = await end(driver, jon);
    const code = await driver.code(kay, part('Kay signs in first', 'request a code'));
    await driver.mustSucceed(kay, 'confirmOtp', 'Kay signs in first', { code });
    await driver.link(kay, 'Kay links');
    if (!(await driver.passResendPause())) return;
    const pia = isPiaFree ? await driver.user('Pia') : undefined;
    const requestedAt = driver.now();
    const piasCode = pia ? await guessAt(driver, pia) : '';
    if (!(await driver.restartServer())) return;
    driver.observe('the server is started again', { restarted: true });
    if (pia && piasCode !== '' && !isOutlived(driver, requestedAt))
      await driver.perform(pia, 'confirmOtp', PIA_AFTER, { defect: TOO_MANY, code: piasCode });
    await driver.perform({ ...jon }, 'exchangeToken', 'Jon asks for an exchange token after the restart');
    await driver.perform({ ...kay }, 'exchangeToken', 'Kay asks for an exchange token after the restart');
    const usedCode = 'the code that Kay has used is tried again after the restart';
    await driver.perform(driver.otherDevice(kay, "Kay's other device"), 'confirmOtp', usedCode, {
      defect: 'the code was used before the restart',
      code,
    });
    await tryEnded(driver, { otherDevice, nan });
    await driver.trySignIn(jon, JON_RETURNS);
    await driver.trySignIn(kay, KAY_RETURNS, { userSign: kay.userSign as string });
  },
  checks: [
    check({
      id: 'link-kept-over-restart',
      title: 'A user who linked before the server was started again is saved when they return',
      requirements: ['K-link-kept'],
      leftOut: NOT_RESTARTED,
      judge: (steps, journal) => notKept(steps, journal, JON_RETURNS),
      advice: KEEP_ADVICE,
    }),
    check({
      id: 'user-kept-over-restart',
      title: 'A user who signs in after the server was started again is the same user',
      requirements: ['K-link-kept'],
      leftOut: NOT_RESTARTED,
      judge(steps) {
        const [before, after] = [steps.of('Kay signs in first'), steps.of(KAY_RETURNS)];
        const user = yielded(after, 'user');
        if (user === undefined || user === yielded(before, 'user')) return savedAtSignIn(after);
        return {
          expected: 'the same authInfo.user as before the restart',
          actual:
            'another one: at the EHR server this user was never linked, and their patient belongs to the old one',
          shownBy: [before, after],
        };
      },
      advice: 'Store the user of each confirmed phone on disk.',
    }),
    check({
      id: 'linked-users-admitted-after-restart',
      title: 'Users who linked before the server was started again can sign in',
      requirements: ['K-link-kept', 'D18-auth-own-table'],
      leftOut: NOT_RESTARTED,
      judge(steps) {
        const before = steps.of('Kay signs in first');
        const returns = [steps.of(JON_RETURNS), steps.of(KAY_RETURNS)];
        if (!isDone(before))
          return { unclear: 'the sign-in did not succeed before either', shownBy: [before] };
        const bad = returns.find(({ result }) => result.kind === 'refused');
        const failed = returns.find(({ result }) => result.kind === 'failed');
        if (!bad) return failed && { unclear: describe(failed.result), shownBy: [failed] };
        return {
          expected: 'the sign-in succeeds, as before the restart',
          actual: `"${bad.step.label}": ${describe(bad.result)}`,
          shownBy: [before, bad],
        };
      },
      advice: 'Store the correspondence table, and all else that a sign-in of a linked user needs, on disk.',
    }),
    check({
      id: 'tries-kept-over-restart',
      title: 'A restart of the server gives back no tries of a code',
      requirements: ['K-tries-kept-over-restart'],
      also: [guessedCodes],
      leftOut: NOT_RESTARTED,
      settled: (steps) => steps.find(PIA_AFTER) && unlessLimited(steps.in(guessedCodes)),
      expect: { [PIA_AFTER]: refused('the code, tried too often before the restart, is refused') },
      judge: (steps: Steps) => controlDone(steps.in(guessedCodes).of('right code at once')),
      advice: 'Keep the count of tries where the code is kept, or forget the code with it.',
    }),
    ...endedOverRestart,
  ],
});

/**
 * Requests a code for Pia and tries many wrong ones.
 * @returns the right code; '' where no code is requested from the server
 */
async function guessAt(driver: Driver, pia: User): Promise<string> {
  const code = await driver.code(pia, 'Pia requests a code');
  if (code === '') return code;
  for (let guess = 1; guess <= TRY_COUNT; guess++) {
    const stranger = driver.otherDevice(pia, `stranger ${guess} at the phone of Pia`);
    await confirm(driver, stranger, 'guess at the code of Pia', otherCode(code, guess), 'a guess');
  }
  return code;
}

/** Users whose sessions ended before the restart; undefined where the server has no step to end them. */
type EndedLink = {
  /** Jon on a second device, where he logged out. */
  otherDevice: User | undefined;
  /** A user who was deleted. */
  nan: User | undefined;
};

/** Logs Jon out on a second device and deletes another user, Nan, where the server has these steps. */
async function end(driver: Driver, jon: User): Promise<EndedLink> {
  const ended: EndedLink = { otherDevice: undefined, nan: undefined };
  if (driver.adapter.has('logout') && (await driver.passResendPause())) {
    ended.otherDevice = driver.otherDevice(jon, "Jon's other device");
    await driver.signIn(ended.otherDevice, 'Jon signs in on another device');
    await driver.mustSucceed(ended.otherDevice, 'logout', 'Jon logs out there');
  }
  if (driver.adapter.has('deleteUser')) {
    ended.nan = await driver.user('Nan');
    await driver.signIn(ended.nan, 'Nan signs in');
    await driver.link(ended.nan, 'Nan links');
    await driver.mustCallEhr(ended.nan, 'removeAuthentication', 'Nan disconnects at the EHR server');
    await driver.mustSucceed(ended.nan, 'deleteUser', 'Nan is deleted');
  }
  return ended;
}

/** Asks for exchange tokens with the sessions that ended before the restart. */
async function tryEnded(driver: Driver, { otherDevice, nan }: EndedLink): Promise<void> {
  if (otherDevice)
    await driver.perform(
      otherDevice,
      'exchangeToken',
      'Jon asks there for an exchange token after the restart',
      { defect: 'the session was logged out before the restart' },
    );
  if (!nan) return;
  await driver.perform(nan, 'exchangeToken', 'Nan asks for an exchange token after the restart', {
    defect: 'the user was deleted before the restart',
  });
  await driver.trySignIn(nan, 'Nan signs in anew after the restart');
}

/**
 * Moves the server's clock, so that Jon's session has less time left than a new one. Does nothing where the
 * clock cannot be moved, or the session lives too briefly.
 */
async function makeOlder(driver: Driver, jon: User): Promise<void> {
  const minutes = Math.min(AGE_MINUTES, Math.floor(Number(jon.ttl ?? 0) / 2));
  if (!driver.canAdvanceTime || !(minutes > 2) || !(await driver.advanceTime(minutes * 60_000))) return;
  await driver.perform(jon, 'exchangeToken', 'Jon asks for an exchange token before the restart');
}

/** How much older (minutes) Jon's session is than Kay's; less where sessions live less than twice as long. */
const AGE_MINUTES = 10;
