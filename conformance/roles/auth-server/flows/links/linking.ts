/** Signing in and linking as the interface intends, for the first time and again. */
import type { Driver, User } from '../../player/driver.ts';
import { DEFAULT_CODE_LIFETIME_SECONDS } from '../../player/time/times.ts';
import { otherCode } from '../codes/guesses.ts';
import { scenario } from '../scenario.ts';

export const firstLink = scenario({
  id: 'first-link',
  title: 'A new user signs in, is not known to the EHR server, and is linked through the exchange token',
  needs: ['confirmOtp', 'exchangeToken'],
  when: 'alone',
  steps: {
    signIn: 'sign in',
    before: 'get patient before the link',
    link: 'link',
    after: 'get patient after the link',
  },
  async run(driver, steps) {
    const ann = await driver.user('Ann');
    await driver.signIn(ann, steps.signIn);
    await driver.callEhr(ann, 'getPatient', steps.before, { defect: 'the user is not linked yet' });
    await driver.link(ann, steps.link);
    await driver.mustCallEhr(ann, 'getPatient', steps.after);
  },
});

export const returningUser = scenario({
  id: 'returning-user',
  title:
    'Users who were linked earlier sign in again, without a signature, with the one they kept, and without it again',
  needs: ['confirmOtp', 'exchangeToken'],
  people: 2,
  waits: ({ resend }) => 3 * resend,
  steps: {
    beaFirst: 'Bea signs in first',
    cidFirst: 'Cid signs in first',
    beaLinks: 'Bea links',
    cidLinks: 'Cid links',
    beaReturns: 'Bea returns with user_sign',
    cidReturns: 'Cid returns with user_sign',
    beaReads: 'Bea reads the record',
    cidReads: 'Cid reads the record',
    otherDevice: 'Bea returns on another device',
    otherDeviceReads: 'Bea reads the record on another device',
  },
  async run(driver, steps) {
    const [bea, cid] = [await driver.user('Bea'), await driver.user('Cid')];
    await driver.signIn(bea, steps.beaFirst);
    await driver.signIn(cid, steps.cidFirst);
    await driver.link(bea, steps.beaLinks);
    await driver.link(cid, steps.cidLinks);
    await driver.passResendPause();
    await driver.signIn(bea, steps.beaReturns, { userSign: bea.userSign as string });
    await driver.callEhr(bea, 'getPatient', steps.beaReads);
    await driver.signIn(cid, steps.cidReturns, { userSign: cid.userSign as string });
    await driver.callEhr(cid, 'getPatient', steps.cidReads);
    await driver.passResendPause();
    const laptop = driver.otherDevice(bea, "Bea's other device");
    await driver.signIn(laptop, steps.otherDevice);
    await driver.callEhr(laptop, 'getPatient', steps.otherDeviceReads);
  },
});

export const manyTokens = scenario({
  id: 'many-tokens',
  title: 'One user signs in many times, asks for many exchange tokens, and logs out an older session',
  needs: ['confirmOtp', 'exchangeToken'],
  waits: ({ resend }) => 3 * resend,
  steps: {
    signIn: (round: number) => `sign in, time ${round}`,
    tokenA: (round: number) => `exchange token a, time ${round}`,
    tokenB: (round: number) => `exchange token b, time ${round}`,
    olderLogsOut: 'an older session logs out',
    newestAfter: 'the newest session asks for an exchange token after it',
  },
  async run(driver, steps) {
    const dan = await driver.user('Dan');
    let older = dan;
    for (let round = 1; round <= 4; round++) {
      if (round > 1 && !(await driver.passResendPause())) return;
      older = { ...dan };
      await driver.signIn(dan, steps.signIn(round));
      await driver.mustSucceed(dan, 'exchangeToken', steps.tokenA(round));
      await driver.mustSucceed(dan, 'exchangeToken', steps.tokenB(round));
    }
    if (!driver.adapter.has('logout')) return;
    await driver.perform(older, 'logout', steps.olderLogsOut);
    await driver.perform(dan, 'exchangeToken', steps.newestAfter);
  },
});

export const crowd = scenario({
  id: 'crowd',
  title:
    'Many users sign in and link at the same time, while wrong codes are tried for one phone, and return without a signature',
  needs: ['confirmOtp', 'exchangeToken'],
  when: 'busy',
  people: 4,
  codes: 60,
  waits: ({ resend }) => resend,
  steps: {
    signIn: 'crowd: sign in',
    link: 'crowd: link',
    read: 'crowd: get patient',
    returns: 'crowd: return',
    vicRequests: 'Vic requests a code before the crowd',
    vicGuess: 'guess at the code of Vic, between sign-ins of the crowd',
    vicAfterwards: 'right code of Vic after many guesses',
  },
  async run(driver, steps) {
    const size = driver.freePeople;
    const numbers = Array.from({ length: size }, (_, index) => index + 1);
    // Where phones are few, another person gets the phone later.
    const few = Number.isFinite(driver.adapter.phoneCount);
    const returning: User[] = [];
    const guesses = await guessing(driver, size);
    await driver.forEach(
      numbers,
      (number) => `user ${number}`,
      async (user) => {
        await driver.signIn(user, steps.signIn);
        await guesses?.onSignIn();
        await driver.link(user, steps.link);
        await driver.mustCallEhr(user, 'getPatient', steps.read);
        // The first ten return: that shows a server that kept the last link only, or one for all users.
        if (Number(user.name.split(' ')[1]) > RETURNING) return;
        if (!few) returning.push(user);
        else if (await driver.passResendPause()) await driver.trySignIn(user, steps.returns);
      },
      driver.serverWaits ? size : CROWD_AT_ONCE,
    );
    await guesses?.onEnd();
    if (returning.length > 0 && (await driver.passResendPause()))
      await driver.together(returning.map((user) => () => driver.trySignIn(user, steps.returns)));
  },
});

/** The number of users of the crowd who return. */
const RETURNING = 10;

/**
 * The number of users of the crowd at work at once: enough to keep any server busy. A server that only waits
 * gets all of them.
 */
const CROWD_AT_ONCE = 17;

/** The owner of the phone for which strangers try codes beside the crowd. */
export const GUESSED = 'Vic';

/** Exceeds the tries that a careful server allows for one code. */
const GUESS_COUNT = 12;

/** Tries at one time: fewer than any server allows, so that a forgotten count shows. */
const GUESSES_AT_ONCE = 2;

/** Guesses at one code between the sign-ins of others; undefined where phones are few. */
async function guessing(driver: Driver, size: number) {
  const { steps } = crowd;
  const vic = driver.adapter.has('requestOtp') ? await driver.newcomer(GUESSED) : undefined;
  if (!vic) return undefined;
  const code = await driver.code(vic, steps.vicRequests);
  const requestedAt = driver.now();
  const interval = Math.max(1, Math.floor((size * GUESSES_AT_ONCE) / GUESS_COUNT));
  let signIns = 0;
  let tried = 0;
  let last = Promise.resolve();
  const guess = async (count: number) => {
    for (let left = Math.min(count, GUESS_COUNT - tried); left > 0; left--) {
      const input = { code: otherCode(code, ++tried) };
      await driver.perform(vic, 'confirmOtp', steps.vicGuess, { defect: 'a guess', input });
    }
  };
  return {
    onSignIn() {
      if (++signIns % interval === 0) last = last.then(() => guess(GUESSES_AT_ONCE));
      return last;
    },
    async onEnd() {
      await last;
      await guess(GUESS_COUNT);
      const lifetime = (driver.adapter.otpLifetimeSeconds ?? DEFAULT_CODE_LIFETIME_SECONDS) * 1_000;
      if (driver.now() - requestedAt >= lifetime) return;
      await driver.perform(vic, 'confirmOtp', steps.vicAfterwards, {
        defect: 'too many wrong codes came before it',
        input: { code },
      });
    },
  };
}
