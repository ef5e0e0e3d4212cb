/** One phone is written in several ways, and many wrong codes are tried for a phone in another spelling. */
import type { Judgement, Steps } from '../../../../engine/check/steps.ts';
import { describe } from '../../../../engine/journal/played-steps.ts';
import { flow } from '../flow.ts';
import { gotError, isDone, unclear } from '../step-values.ts';
import { guessedCodes, isRightConfirmed, NO_CODE_CONFIRMED, unlessLimited } from './guessed-codes.ts';
import { confirm, isOutlived, OUTLIVED, otherCode, TOO_MANY, TRY_COUNT } from './guesses.ts';

/** Writes a phone in another way; undefined where it cannot be. The leading 8 is Russian. */
const SPELLINGS = {
  'with a plus and blanks': (phone: string) => {
    const digits = phone.replace(/\D/g, '');
    const written = `+${digits.slice(0, -10)} (${digits.slice(-10, -7)}) ${digits.slice(-7, -4)}-${digits.slice(-4)}`;
    return digits.length > 10 && written !== phone ? written : undefined;
  },
  'with a leading 8': (phone: string) => (/^7\d{10}$/.test(phone) ? `8${phone.slice(1)}` : undefined),
} as const;

const spellingNames = Object.keys(SPELLINGS) as (keyof typeof SPELLINGS)[];
const signInWritten = (name: keyof typeof SPELLINGS) => `sign in with the phone written ${name}`;

export const spellings = flow({
  id: 'spellings',
  title: 'One phone is written in several ways',
  needs: ['requestOtp', 'confirmOtp'],
  waits: ({ resend }) => 2 * resend,
  async play(driver) {
    const lia = await driver.user('Lia');
    await driver.signIn(lia, 'sign in as usual');
    for (const name of spellingNames) {
      const phone = SPELLINGS[name](lia.phone);
      if (phone === undefined || !(await driver.time.passResendPause())) continue;
      const device = driver.otherDevice(lia, `Lia, ${name}`);
      const since = await driver.messagesTo(lia);
      await driver.codes.take(1);
      const label = `request a code for the phone written ${name}`;
      const asked = await driver.perform(device, 'requestOtp', label, { phone });
      // A server may refuse the other spelling, or send the code to what it takes for another phone.
      const came = asked.kind === 'done' && (await driver.codes.newest(lia, since, CODE_WAIT_MS));
      if (!came) continue;
      await driver.perform(device, 'confirmOtp', signInWritten(name), {
        phone,
        code: came.code,
        // In most countries a leading 8 is the phone of another person.
        ...(name === 'with a leading 8' && { defect: 'the phone has another spelling in some countries' }),
      });
    }
  },
  checks: {},
});

/** Limits the wait (ms) for a code. A code that has not come by then was sent to another phone. */
const CODE_WAIT_MS = 2_000;

const GUESS = 'guess for the phone in another spelling';
const AFTERWARDS = 'right code after many guesses in another spelling';

export const guessesInSpelling = flow({
  id: 'guesses-in-spelling',
  title: 'Many wrong codes are tried for a phone in another spelling, and then the right one',
  needs: ['requestOtp', 'confirmOtp'],
  async play(driver) {
    const pia = await driver.user('Pia');
    const phone = SPELLINGS['with a plus and blanks'](pia.phone);
    if (phone === undefined) return;
    const requestedAt = driver.time.now();
    const code = await driver.code(pia, 'a code for Pia');
    for (let attempt = 1; attempt <= TRY_COUNT; attempt++) {
      const guess = otherCode(code, attempt);
      // A guess is sent with what the request for the code yielded, such as a challenge.
      driver.steps.cameFromLastRequest(pia, guess);
      const stranger = driver.otherDevice(pia, 'a stranger who writes otherwise');
      await driver.perform(stranger, 'confirmOtp', GUESS, { defect: 'a guess', code: guess, phone });
    }
    if (!isOutlived(driver, requestedAt)) await confirm(driver, pia, AFTERWARDS, code, TOO_MANY);
  },
  checks: {
    'tries-limited-in-every-spelling': {
      title: 'Wrong codes are counted however the phone is written',
      requirements: ['K-code-tries-limited'],
      also: [guessedCodes, spellings],
      leftOut: OUTLIVED,
      judge: limitedInSpelling,
      advice: 'Bring a phone to one form before anything is looked up or counted by it.',
    },
  },
});

function limitedInSpelling(steps: Steps): Judgement {
  const attempt = steps.of(AFTERWARDS);
  const written = steps.in(spellings).find(signInWritten('with a plus and blanks'));
  if (!written || !isDone(written)) return { notApplicable: 'the server does not take the other spelling' };
  const guessed = steps.in(guessedCodes);
  const unlimited = unlessLimited(guessed);
  if (unlimited) return unlimited;
  if (isDone(attempt))
    return {
      expected: 'the right code is refused after as many wrong ones as in the usual spelling',
      actual: `after ${TRY_COUNT} wrong codes for the phone in another spelling it confirmed`,
      shownBy: [...steps.all(GUESS).slice(0, 1), attempt],
    };
  if (!isRightConfirmed(guessed)) return unclear(NO_CODE_CONFIRMED, attempt);
  return gotError(attempt) ? { right: [attempt] } : unclear(describe(attempt.result), attempt);
}
