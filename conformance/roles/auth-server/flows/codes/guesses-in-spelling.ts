import type { Judgement, Steps } from '../../../../engine/check/steps.ts';
import { describe } from '../../../../engine/journal/describe-result.ts';
import { check, flow } from '../flow.ts';
import { fault, isDone, unclear, wasTold } from '../step-values.ts';
import { guessedCodes, unlessLimited } from './guessed-codes.ts';
import { confirm, isOutlived, OUTLIVED, otherCode, TOO_MANY, TRY_COUNT } from './guesses.ts';
import { SPELLINGS, spellings } from './spellings.ts';

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
    const requestedAt = driver.now();
    const code = await driver.code(pia, 'a code for Pia');
    for (let attempt = 1; attempt <= TRY_COUNT; attempt++) {
      const guess = otherCode(code, attempt);
      // A guess is sent with what the request for the code yielded, such as a challenge.
      driver.cameFromLastRequest(pia, guess);
      const stranger = driver.otherDevice(pia, 'a stranger who writes otherwise');
      await driver.perform(stranger, 'confirmOtp', GUESS, { defect: 'a guess', code: guess, phone });
    }
    if (!isOutlived(driver, requestedAt)) await confirm(driver, pia, AFTERWARDS, code, TOO_MANY);
  },
  checks: [
    check({
      id: 'tries-limited-in-every-spelling',
      title: 'Wrong codes are counted however the phone is written',
      requirements: ['K-code-tries-limited'],
      also: [guessedCodes, spellings],
      leftOut: OUTLIVED,
      judge: confirmedAfterwards,
      advice: 'Bring a phone to one form before anything is looked up or counted by it.',
    }),
  ],
});

function confirmedAfterwards(steps: Steps): Judgement {
  const attempt = steps.of(AFTERWARDS);
  const written = steps.in(spellings).find('sign in with the phone written with a plus and blanks');
  if (!written || !isDone(written)) return { notApplicable: 'the server does not take the other spelling' };
  const guessed = steps.in(guessedCodes);
  const unlimited = unlessLimited(guessed);
  if (unlimited) return unlimited;
  if (isDone(attempt))
    return fault(
      'the right code is refused after as many wrong ones as in the usual spelling',
      `after ${TRY_COUNT} wrong codes for the phone in another spelling it confirmed`,
      ...steps.all(GUESS).slice(0, 1),
      attempt,
    );
  if (!guessed.all('right code at once').some(isDone))
    return unclear('a right code that no guess came before did not confirm either', attempt);
  return wasTold(attempt) ? { right: [attempt] } : unclear(describe(attempt.result), attempt);
}
