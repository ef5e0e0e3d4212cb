import type { Judgement, Steps } from '../../../../engine/check/steps.ts';
import { describe } from '../../../../engine/journal/describe-result.ts';
import type { Driver, StepOptions, User } from '../../people/driver.ts';
import { confirm, otherCode } from '../codes/guesses.ts';
import { check, flow } from '../flow.ts';
import { fault, isDone, unclear, wasTold } from '../step-values.ts';

/** The number of guesses sent together, the right code among them. */
const GUESSES_PER_ROUND = 40;

/** A good server that takes six tries fails once in 13,000 runs; one that takes thirteen, once in 275. */
const GUESS_ROUNDS = 5;

/** The labels of the steps of a round, which is counted from 1. */
type RoundLabels = Readonly<Record<'requests' | 'guess' | 'right', (round: number) => string>>;

const oneByOne: RoundLabels = {
  requests: (round) => `request a code, time ${round}`,
  guess: (round) => `guess, time ${round}`,
  right: (round) => `the right code among the guesses, time ${round}`,
};
const inBatch: RoundLabels = {
  requests: (round) => `request a code for the batch, time ${round}`,
  guess: (round) => `guess in a batch, time ${round}`,
  right: (round) => `the right code in the batch, time ${round}`,
};

const ALONE = 'the right code alone';
const TAKEN = 'batches are taken';

const COUNT_FIRST =
  'Count a try before the code is compared, in one statement that both counts and tells whether the limit is reached; count tries, not requests.';

export const guessesAtOnce = flow({
  id: 'guesses-at-once',
  title:
    'Many guesses come at the same moment, and in one batch, with the right code at a random place among them',
  needs: ['requestOtp', 'confirmOtp'],
  people: 3,
  async play(driver) {
    const kay = await driver.user('Kay');
    await confirm(driver, kay, ALONE, await driver.code(kay, 'Kay requests a code'));
    await playRounds(driver, 'Ivo', oneByOne, (attempts) =>
      driver.atOnce(attempts.map((attempt) => ({ step: 'confirmOtp' as const, ...attempt }))),
    );
    if (!driver.adapter.batchOf?.('confirmOtp')) {
      driver.note('A sign-in is no JSON-RPC call of this server, so nothing was guessed in a batch.');
      return;
    }
    await playRounds(driver, 'Eli', inBatch, async (attempts) => {
      const answer = await driver.inOneBatch('confirmOtp', attempts);
      driver.observe(TAKEN, { taken: answer?.taken === true });
      return answer?.results ?? [];
    });
  },
  checks: [
    check({
      id: 'tries-limited-at-once',
      title: 'Guesses that come at the same moment do not pass the limit of tries',
      requirements: ['K-code-tries-limited'],
      judge: (steps) => confirmedInAll(steps, oneByOne),
      advice: COUNT_FIRST,
    }),
    check({
      id: 'tries-limited-in-batch',
      title: 'Guesses in one JSON-RPC batch do not pass the limit of tries',
      requirements: ['K-code-tries-limited'],
      judge: (steps) =>
        steps.find(inBatch.right(1)) && steps.observed(TAKEN)?.taken === false
          ? { notApplicable: 'the server takes no JSON-RPC batches' }
          : confirmedInAll(steps, inBatch),
      advice: COUNT_FIRST,
    }),
  ],
});

type Guess = { user: User; label: string; options: StepOptions };

/** Plays rounds until the right code is not confirmed. `send` returns results in the same order. */
async function playRounds(
  driver: Driver,
  name: string,
  labels: RoundLabels,
  send: (guesses: Guess[]) => Promise<{ kind: string }[]>,
): Promise<void> {
  // Where phones are few, one user plays all rounds; otherwise each round has a user of its own.
  const few = Number.isFinite(driver.adapter.phoneCount);
  let user = await driver.user(`${name} 1`);
  for (let round = 1; round <= GUESS_ROUNDS; round++) {
    if (round > 1 && few && !(await driver.passResendPause())) return;
    if (round > 1 && !few) user = await driver.user(`${name} ${round}`);
    const code = await driver.code(user, labels.requests(round));
    const place = driver.draw(GUESSES_PER_ROUND);
    const guesses = Array.from({ length: GUESSES_PER_ROUND }, (_, index): Guess => {
      const device = driver.otherDevice(user, `${user.name}, guess ${index + 1}`);
      if (index === place) return { user: device, label: labels.right(round), options: { code } };
      const options = { defect: 'a guess', code: otherCode(code, index + 1) };
      return { user: device, label: labels.guess(round), options };
    });
    const results = await send(guesses);
    if (results[place]?.kind !== 'done') return;
  }
}

function confirmedInAll(steps: Steps, { guess, right }: RoundLabels): Judgement {
  const rounds = Array.from({ length: GUESS_ROUNDS }, (_, index) => steps.find(right(index + 1))).filter(
    (played) => played !== undefined,
  );
  const last = rounds.at(-1) ?? steps.of(right(1));
  if (rounds.length === GUESS_ROUNDS && rounds.every(isDone))
    return fault(
      'after a few wrong codes the right one is refused, wherever it stands among them',
      `the right code confirmed in each of ${GUESS_ROUNDS} rounds, at a random place among ${GUESSES_PER_ROUND} guesses`,
      ...rounds,
    );
  const alone = steps.of(ALONE);
  if (!isDone(alone))
    return unclear(`the right code alone did not confirm either (${describe(alone.result)})`, alone);
  const wrong = steps.all(guess(rounds.length));
  // A server that breaks under the guesses shows no limit.
  const answered = wrong.filter(wasTold);
  if (!wasTold(last) || answered.length < wrong.length / 2)
    return unclear(`the guesses were not answered by refusals (${describe(last.result)})`, last);
  return { right: [alone, last] };
}
