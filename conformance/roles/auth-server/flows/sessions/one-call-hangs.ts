/** One hanging call to the EHR server, which must hold up no other user (§1 rule 4). */

import type { Judgement } from '../../../../engine/check/steps.ts';
import { describe } from '../../../../engine/journal/describe-result.ts';
import type { PlayedStep } from '../../../../engine/journal/view.ts';
import { SAVE_EXCHANGE_TOKEN, sentTo } from '../../internal-calls.ts';
import type { User } from '../../people/driver.ts';
import { whileAllHeld } from '../../people/time/overlap.ts';
import { check, flow } from '../flow.ts';
import { isDone } from '../step-values.ts';

/** The number of further hanging calls: a server with few workers then serves nobody else. */
const MORE_HANGING_COUNT = 3;

/** Calls that hang for less than this (ms) beside the other user's request show nothing. */
const MIN_HELD_MS = 300;

const CONTROL = 'Igor asks for an exchange token before';
const HANGS = "the call for Hanna's exchange token hangs";
const MEANWHILE = 'Igor asks for an exchange token meanwhile';

const held = ({ exchanges }: PlayedStep) => exchanges.find(({ fault }) => fault === 'hang');

/** The other user is served while the calls hang. */
function servedMeanwhile(
  control: PlayedStep,
  meanwhile: PlayedStep,
  hanging: readonly PlayedStep[],
): Judgement {
  const [first] = hanging;
  if (first && !held(first))
    return { unclear: 'no call to the EHR server was left hanging', shownBy: [first] };
  const shownBy = [...hanging.slice(0, 1), meanwhile];
  // A server may give up the call and leave its connection open. Its answer to the client shows when.
  const ends = hanging.flatMap((played) => {
    const own = held(played);
    return own ? [Math.min(own.endedAt, played.endedAt)] : [];
  });
  const heldForMs = Math.max(...ends) - meanwhile.step.at;
  const waited = (played: PlayedStep) =>
    (sentTo(played, SAVE_EXCHANGE_TOKEN)[0]?.at ?? Infinity) - played.step.at;
  if (isDone(meanwhile)) {
    if (meanwhile.endedAt <= Math.min(...ends)) return undefined;
    if (waited(meanwhile) < Math.max(heldForMs / 2, 2 * waited(control))) return undefined;
    if (heldForMs < MIN_HELD_MS)
      return { unclear: 'the hanging calls were given up before the other user had asked', shownBy };
  }
  return {
    expected: 'the other user is served while the call hangs',
    actual: isDone(meanwhile)
      ? `the call for the other user was sent only when the hanging one was given up, after ${meanwhile.took} ms; without it the same took ${control.took} ms`
      : describe(meanwhile.result),
    shownBy,
    timeSensitive: true,
  };
}

export const oneCallHangs = flow({
  id: 'one-call-hangs',
  title: 'The EHR server does not answer calls for four users, and others go on meanwhile',
  needs: ['confirmOtp', 'exchangeToken'],
  people: 5,
  async play(driver) {
    const [hanna, igor] = [await driver.signedIn('Hanna'), await driver.signedIn('Igor')];
    await driver.mustSucceed(igor, 'exchangeToken', CONTROL);
    // Where phones are few, one call hangs alone.
    const others: User[] = [];
    while (others.length < Math.min(MORE_HANGING_COUNT, driver.freePeople - 2))
      others.push(await driver.user(`one more ${others.length + 1}`));
    await driver.together(others.map((user) => () => driver.signIn(user, 'others sign in')));
    const options = { defect: 'the EHR server does not answer' };
    await whileAllHeld(
      driver,
      [hanna, ...others].map((user) => ({ user, step: 'exchangeToken', label: HANGS, options })),
      { method: 'exchange-token', name: 'hang' },
      () => driver.perform(igor, 'exchangeToken', MEANWHILE),
    );
  },
  checks: [
    check({
      id: 'others-go-on-while-one-hangs',
      title: 'A call for one user that the EHR server does not answer holds up no other user',
      level: 'SHOULD',
      requirements: ['K-others-go-on'],
      judge(steps) {
        steps.of(HANGS);
        return servedMeanwhile(steps.of(CONTROL), steps.of(MEANWHILE), steps.all(HANGS));
      },
      advice:
        'Let no call to the EHR server wait for another one: no lock, queue or single connection for all users.',
    }),
  ],
});
