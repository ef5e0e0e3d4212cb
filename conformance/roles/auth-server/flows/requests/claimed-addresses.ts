import type { Judgement, Steps } from '../../../../engine/check/steps.ts';
import { describe } from '../../../../engine/journal/played-steps.ts';
import { withHeader } from '../../../../engine/wire/request-change.ts';
import { guessedCodes } from '../codes/guessed-codes.ts';
import { isOutlived, OUTLIVED, otherCode, TOO_MANY, TRY_COUNT } from '../codes/guesses.ts';
import { flow } from '../flow.ts';
import { crowd } from '../links/crowd.ts';
import { fault, isDone, unclear, wasTold } from '../step-values.ts';

const AFTERWARDS = 'right code after many guesses from claimed addresses';

export const claimedAddresses = flow({
  id: 'claimed-addresses',
  title: 'Many wrong codes are tried, each from an address that the client claims',
  needs: ['requestOtp', 'confirmOtp'],
  async play(driver) {
    const kai = await driver.user('Kai');
    const requestedAt = driver.time.now();
    const code = await driver.code(kai, 'Kai requests a code');
    // Confirms a code with a claimed address; 203.0.113.0/24 is reserved for documentation.
    const from = (label: string, number: number, tried: string, defect: string) =>
      driver.perform(kai, 'confirmOtp', label, {
        change: withHeader('X-Forwarded-For', `203.0.113.${number}`),
        defect,
        code: tried,
      });
    for (let attempt = 1; attempt <= TRY_COUNT; attempt++)
      await from('guess from a claimed address', attempt, otherCode(code, attempt), 'a guess');
    if (!isOutlived(driver, requestedAt)) await from(AFTERWARDS, TRY_COUNT + 1, code, TOO_MANY);
  },
  checks: {
    'tries-limited-from-claimed-addresses': {
      title: 'Wrong codes are limited whatever address the client claims to have',
      requirements: ['K-code-tries-limited'],
      also: [guessedCodes, crowd],
      leftOut: OUTLIVED,
      judge: confirmedAfterwards,
      advice:
        'Count the tries of the code itself. Take an address from X-Forwarded-For only where a proxy of your own has set it.',
    },
  },
});

function confirmedAfterwards(steps: Steps): Judgement {
  const attempt = steps.of(AFTERWARDS);
  const guessed = steps.in(guessedCodes);
  const limited = guessed.of('right code after many guesses');
  if (!guessed.all('right code at once').some(isDone))
    return unclear('a right code that no guess came before did not confirm either', limited);
  if (isDone(limited))
    return unclear('from one address the tries are not limited either: see tries-limited', limited);
  const beside = steps.in(crowd).find('right code of Vic after many guesses');
  if (isDone(attempt) && beside && isDone(beside))
    return unclear('tries are forgotten without the header, too: see tries-kept-beside-others', attempt);
  if (isDone(attempt))
    return fault(
      'the right code is refused after as many wrong ones as without the header',
      'with another X-Forwarded-For for each try it confirmed',
      attempt,
    );
  return wasTold(attempt) ? { right: [limited, attempt] } : unclear(describe(attempt.result), attempt);
}
