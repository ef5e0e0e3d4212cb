/**
 * The scenario `one-call-hangs`: the kit's EHR server leaves calls of some users unanswered. The
 * authorization server must go on serving another user meanwhile (§1 rule 4).
 */

import type { Judgement } from '../../../../engine/check/steps.ts';
import { describe } from '../../../../engine/journal/describe-result.ts';
import type { PlayedStep } from '../../../../engine/journal/view.ts';
import { SAVE_EXCHANGE_TOKEN, sentTo } from '../../internal-calls.ts';
import type { User } from '../../people/driver.ts';
import { whileAllHeld } from '../../people/time/overlap.ts';
import { check, flow } from '../flow.ts';
import { isDone } from '../step-values.ts';

/**
 * The number of hanging calls after the first. A server with few workers then has none left for other users.
 */
const MORE_HANGING_COUNT = 3;

/** The shortest time (ms), from the other user's request on, that calls must hang to show anything. */
const MIN_HELD_MS = 300;

/** When another user is served within this time (ms), the server does not wait for calls that hang. */
const MAX_SERVED_MS = 1_000;

const CONTROL = 'Igor asks for an exchange token before';
const AFTERWARDS = 'Igor asks for an exchange token afterwards';
/** Limits the requests by which the kit waits until a server that was held up goes on. */
const MAX_AFTERWARDS = 5;
const HANGS = "the call for Hanna's exchange token hangs";
const MEANWHILE = 'Igor asks for an exchange token meanwhile';

/** The exchange of a step that the EHR server left unanswered. */
const held = ({ exchanges }: PlayedStep) => exchanges.find(({ fault }) => fault === 'hang');

/**
 * Judges whether the other user was served while the calls hung.
 * @param control the other user's same request before any call hung
 * @param meanwhile the other user's request while calls hung
 * @param hanging the steps whose calls hung
 */
function servedMeanwhile(
  control: PlayedStep,
  meanwhile: PlayedStep,
  hanging: readonly PlayedStep[],
): Judgement {
  const [first] = hanging;
  if (first && !held(first))
    return { unclear: 'no call to the EHR server was left hanging', shownBy: [first] };
  const shownBy = [...hanging.slice(0, 1), meanwhile];
  // When each call ended. A server may give up a call without closing the connection: then its answer to the
  // client shows the end.
  const ends = hanging.flatMap((played) => {
    const hungCall = held(played);
    return hungCall ? [Math.min(hungCall.endedAt, played.endedAt)] : [];
  });
  const heldForMs = Math.max(...ends) - meanwhile.step.at;
  // How long (ms) a request waited at the server before its call was sent.
  const waited = (played: PlayedStep) =>
    (sentTo(played, SAVE_EXCHANGE_TOKEN)[0]?.at ?? Infinity) - played.step.at;
  if (isDone(meanwhile)) {
    if (meanwhile.endedAt <= Math.min(...ends)) return undefined;
    // The call was sent early enough: less than half of the hanging time passed, or twice the usual wait.
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
  // A server that is found to work one call at a time meets the silence of other scenarios one by one.
  when: 'alone',
  people: 5,
  async play(driver) {
    const [hanna, igor] = [await driver.signedIn('Hanna'), await driver.signedIn('Igor')];
    await driver.mustSucceed(igor, 'exchangeToken', CONTROL);
    // Two phones are Hanna's and Igor's. Where there are no more, one call hangs alone.
    const others: User[] = [];
    while (others.length < Math.min(MORE_HANGING_COUNT, driver.freePeople - 2))
      others.push(await driver.user(`one more ${others.length + 1}`));
    await driver.together(others.map((user) => () => driver.signIn(user, 'others sign in')));
    let isHeldUp = false;
    const options = { defect: 'the EHR server does not answer' };
    await whileAllHeld(
      driver,
      [hanna, ...others].map((user) => ({ user, step: 'exchangeToken', label: HANGS, options })),
      { method: 'exchange-token', name: 'hang' },
      async () => {
        const begun = driver.now();
        const { kind } = await driver.perform(igor, 'exchangeToken', MEANWHILE);
        isHeldUp = kind !== 'done' || driver.now() - begun > MAX_SERVED_MS;
      },
    );
    if (!isHeldUp) return;
    driver.worksOneAtATime();
    // What waits at the server goes on after the steps have ended, and would fall into the next scenario.
    for (let tries = 1; tries <= MAX_AFTERWARDS; tries++)
      if ((await driver.perform(igor, 'exchangeToken', AFTERWARDS)).kind === 'done') return;
  },
  checks: [
    check({
      id: 'others-go-on-while-one-hangs',
      title: 'A call for one user that the EHR server does not answer holds up no other user',
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
