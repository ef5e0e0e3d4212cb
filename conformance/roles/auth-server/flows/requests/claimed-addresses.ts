/**
 * The scenario `claimed-addresses`: a client claims another IP address in each request, by the header
 * X-Forwarded-For. Pauses and limits of the authorization server must hold all the same.
 */
import type { Judgement, Steps } from '../../../../engine/check/steps.ts';
import { describe } from '../../../../engine/journal/describe-result.ts';
import { withHeader } from '../../../../engine/wire/request-change.ts';
import type { Driver, User } from '../../people/driver.ts';
import { guessedCodes } from '../codes/guessed-codes.ts';
import { isOutlived, MESSAGE_WAIT_MS, OUTLIVED, otherCode, TOO_MANY, TRY_COUNT } from '../codes/guesses.ts';
import { afterPause, pauses, secondMessage, TOO_SOON, unlessNoPause } from '../codes/pauses.ts';
import { check, flow } from '../flow.ts';
import { crowd } from '../links/crowd.ts';
import { isDone, unclear, wasTold } from '../step-values.ts';

// Labels of steps.
const AGAIN = 'another code at once, from a claimed address';
const AFTERWARDS = 'right code after many guesses from claimed addresses';

export const claimedAddresses = flow({
  id: 'claimed-addresses',
  title:
    'Another code is requested too soon, and many wrong ones are tried, each from an address that the client claims',
  needs: ['requestOtp', 'confirmOtp'],
  codes: 2,
  async play(driver) {
    const kai = await driver.user('Kai');
    // Both codes are reserved, so that the second request comes at once.
    await driver.codes.reserve(2);
    const requestedAt = driver.now();
    const sent = await driver.code(kai, 'Kai requests a code');
    const code = driver.adapter.countsMessages ? await requestAgain(driver, kai, sent) : sent;
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
  checks: [
    check({
      id: 'pause-for-every-address',
      title: 'The pause between codes holds whatever address the client claims to have',
      requirements: ['K-code-pause'],
      also: [pauses],
      settled: (steps) => unlessNoPause(steps.in(pauses)),
      judge: (steps) =>
        secondMessage(steps, {
          before: 'Kai requests a code',
          again: AGAIN,
          actual: 'with another X-Forwarded-For another message was sent to the phone at once',
        }) ?? afterPause(steps.in(pauses)),
      advice:
        'Keep the time of the last code by phone alone. Take an address from X-Forwarded-For only where a proxy of your own has set it.',
    }),
    check({
      id: 'tries-limited-from-claimed-addresses',
      title: 'Wrong codes are limited whatever address the client claims to have',
      requirements: ['K-code-tries-limited'],
      also: [guessedCodes, crowd],
      leftOut: OUTLIVED,
      judge: confirmedAfterwards,
      advice:
        'Count the tries of the code itself. Take an address from X-Forwarded-For only where a proxy of your own has set it.',
    }),
  ],
});

/** Requests another code at once, from a claimed address. Returns the code that was sent last. */
async function requestAgain(driver: Driver, kai: User, sent: string): Promise<string> {
  const since = await driver.messagesTo(kai);
  const { kind } = await driver.perform(kai, 'requestOtp', AGAIN, {
    change: withHeader('X-Forwarded-For', '203.0.113.200'),
    defect: TOO_SOON,
  });
  const newest = await driver.codes.newest(kai, since, kind === 'done' ? MESSAGE_WAIT_MS : 0);
  driver.observe(AGAIN, { messages: newest?.count ?? 0 });
  return newest?.code ?? sent;
}

/**
 * Judges whether the right code still works after too many wrong ones from claimed addresses, although it
 * does not work after as many from one address.
 */
function confirmedAfterwards(steps: Steps): Judgement {
  const attempt = steps.of(AFTERWARDS);
  const guessed = steps.in(guessedCodes);
  const limited = guessed.of('right code after many guesses');
  if (!guessed.all('right code at once').some(isDone))
    return { unclear: 'a right code that no guess came before did not confirm either', shownBy: [limited] };
  if (isDone(limited))
    return unclear('from one address the tries are not limited either: see tries-limited', limited);
  const beside = steps.in(crowd).find('right code of Vic after many guesses');
  if (isDone(attempt) && beside && isDone(beside))
    return unclear('tries are forgotten without the header, too: see tries-kept-beside-others', attempt);
  if (isDone(attempt))
    return {
      expected: 'the right code is refused after as many wrong ones as without the header',
      actual: 'with another X-Forwarded-For for each try it confirmed',
      shownBy: [attempt],
    };
  return wasTold(attempt)
    ? { right: [limited, attempt] }
    : { unclear: describe(attempt.result), shownBy: [attempt] };
}
