/**
 * The scenario `duplicate-token`: the kit's EHR server answers a save with token_already_stored, as if
 * another session had the same token (§2.3, §2.4).
 */

import type { Judgement } from '../../../../engine/check/steps.ts';
import { describe } from '../../../../engine/journal/describe-result.ts';
import type { PlayedStep } from '../../../../engine/journal/view.ts';
import { SAVE_AUTH_INFO, sentTo } from '../../internal-calls.ts';
import { check, flow } from '../flow.ts';
import { isDone, wasTold, yielded } from '../step-values.ts';
import { errorOf } from './troubles.ts';

/** The label of the sign-in whose save is refused. */
const DUPLICATE = 'returns with a duplicate token';

/** The advice of checks about a token that is stored already. */
export const ANOTHER_OR_ERROR = 'Draw a new token and save that one, or answer with an error.';

/**
 * Judges whether the client got an error, or another token than the one that the EHR server refused.
 * @param isRefusedOne whether the client got the refused token
 */
export function anotherOrError(played: PlayedStep, isRefusedOne: boolean): Judgement {
  if (wasTold(played)) return undefined;
  if (!isDone(played))
    return {
      expected: 'another token, or an error',
      actual: describe(played.result),
      shownBy: [played],
      timeSensitive: true,
    };
  if (!isRefusedOne) return undefined;
  return {
    expected: 'a token that the EHR server accepted, or an error',
    actual: 'the client was given the token that the EHR server refused',
    shownBy: [played],
  };
}

export const duplicateToken = flow({
  id: 'duplicate-token',
  title: 'The EHR server says that the token of a returning user is stored already',
  needs: ['confirmOtp', 'exchangeToken'],
  waits: ({ resend }) => 2 * resend,
  async play(driver) {
    const tom = await driver.linked('Tom');
    await driver.passResendPause();
    await driver.signIn(tom, 'returns without trouble', { userSign: tom.userSign as string });
    await driver.passResendPause();
    const code = await driver.code(tom, 'a code for the duplicate');
    const error = errorOf({ code: -34003, reason: 'token_already_stored' });
    const end = driver.fault(tom, 'auth-info', { name: 'refuse', error });
    await driver.perform(tom, 'confirmOtp', DUPLICATE, {
      defect: 'the EHR server says once that the token is stored already',
      code,
      userSign: tom.userSign as string,
    });
    end();
    await driver.callEhr(tom, 'getPatient', 'reads the record after the duplicate');
  },
  checks: [
    check({
      id: 'duplicate-session-token-handled',
      title: 'When the EHR server knows the session token already, the client gets another one or an error',
      requirements: ['D38-clash-draws-anew'],
      judge(steps) {
        const played = steps.of(DUPLICATE);
        const sent = sentTo(played, SAVE_AUTH_INFO);
        if (sent.length === 0) return { unclear: 'save_auth_info was not sent', shownBy: [played] };
        const refusedToken = sent.find(({ fault }) => fault === 'refuse')?.facts.call?.token;
        return anotherOrError(played, yielded(played, 'token') === refusedToken);
      },
      advice: ANOTHER_OR_ERROR,
    }),
  ],
});
