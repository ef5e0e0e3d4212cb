/**
 * Checks that an EHR server keeps its state right when calls meet: many failed matches at the same moment, a
 * removal during an authenticate, a read right after a logout.
 */
import type { Judgement, Steps } from '../../../engine/check/steps.ts';
import type { PlayedStep } from '../../../engine/journal/view.ts';
import { check, type EhrCheck, ends, refused } from '../check.ts';
import { membersOf } from '../world/answer.ts';
import { callOf, METHODS } from '../world/messages.ts';
import { replyIn } from '../world/played.ts';
import type { EhrWorld, Pending } from '../world/world.ts';

/** The label of failed matches that are tried one after another, at most so many. */
const IN_TURN = 'a guess in turn';
const MAX_IN_TURN = 20;
/** The label of the right properties after so many guesses. */
const AFTERWARDS = 'the right properties afterwards';
/** Failed matches that are tried at the same moment. */
const GUESSES = 30;
/** Failed matches with the phone of one patient that a right server may count in one of these scenarios. */
const COUNTED = 10;
const READS = 3;

/**
 * What a reply says of a guess: code, message without numbers, and reason. A server tells by it whether the
 * guess was tried, by whatever code.
 */
function wordsOf(reply: unknown): string {
  const { code, message, data } = membersOf(membersOf(reply).error);
  return [code, String(message).replace(/\d+/g, ''), membersOf(data).reason].join(' ');
}

/** What each guess of these steps was answered; a batch is answered by several replies. */
const answersIn = (played: readonly PlayedStep[]): string[] =>
  played.flatMap((step) => [replyIn(step) as unknown].flat()).map(wordsOf);

/**
 * Requires that no more failed matches are tried at once than in turn, and that there is an end to these. A
 * guess was tried when it is answered as the first one in turn.
 */
const noMoreThanInTurn =
  <L extends string>(label: L) =>
  ({ all }: Steps<L | typeof IN_TURN | typeof AFTERWARDS>): Judgement => {
    const [tried, ...further] = answersIn(all(IN_TURN));
    const countTried = (answers: readonly string[]) => answers.filter((answer) => answer === tried).length;
    const inTurn = 1 + countTried(further);
    if (inTurn >= MAX_IN_TURN) {
      const opened = all(AFTERWARDS).filter(({ result }) => result.kind === 'done');
      if (opened.length === 0)
        return { notApplicable: 'the server answers a guess that it does not try as one that it tries' };
      const actual = `after ${inTurn} of them the right properties open the record`;
      return { expected: 'an end to the failed matches', actual, shownBy: [...all(IN_TURN), ...opened] };
    }
    const atOnce = countTried(answersIn(all(label)));
    if (atOnce <= inTurn) return undefined;
    const expected = `at most ${inTurn} failed matches with one exchange token, as in turn`;
    return { expected, actual: `${atOnce} were tried, and answered as the first one`, shownBy: all(label) };
  };

/**
 * Guesses at one patient, whose phone is known: in turn with one exchange token until the server answers
 * otherwise, and then by `guess` with another.
 */
async function guessAt<L extends string>(
  world: EhrWorld<L | typeof IN_TURN | typeof AFTERWARDS>,
  guess: (pending: Pending, properties: () => Record<string, unknown>) => Promise<unknown>,
): Promise<void> {
  const person = await world.patient();
  world.needsAttempts(person, COUNTED);
  // All but the names and the day of birth is right: a server refuses what lacks a member without trying it.
  const right = world.parts.dialect.properties(person);
  const properties = () => ({ ...right, ...world.strangersProperties(), phone: right.phone });
  const pending = await world.pending({ person });
  const answers: string[] = [];
  while (answers.length < MAX_IN_TURN && answers.at(-1) === answers[0]) {
    const { reply } = await world.authenticate(IN_TURN, pending, { properties: properties() });
    answers.push(wordsOf(reply));
  }
  if (answers.at(-1) === answers[0]) await world.authenticate(AFTERWARDS, pending);
  await guess(await world.pending({ person }), properties);
}

export const racesOfStateChecks: readonly EhrCheck[] = [
  check({
    id: 'guesses-counted-at-once',
    title: 'Wrong properties that are sent at the same moment are counted like those sent in turn',
    requirements: ['K-guesses-limited'],
    expect: { [IN_TURN]: refused(), 'a guess': ends },
    further: [AFTERWARDS],
    async play(world) {
      await guessAt(world, (pending, properties) => {
        const guess = () => world.authenticate('a guess', pending, { properties: properties() });
        return Promise.all(Array.from({ length: GUESSES }, guess));
      });
    },
    judge: noMoreThanInTurn('a guess'),
    advice:
      'Count the failure in the same transaction that looks at the count, or by one conditional update.',
  }),
  check({
    id: 'guesses-counted-in-batch',
    title: 'Wrong properties in one batch are counted like those sent one by one',
    requirements: ['K-guesses-limited'],
    expect: { [IN_TURN]: refused(), 'a batch of guesses': ends },
    further: [AFTERWARDS],
    async play(world) {
      await guessAt(world, ({ exchangeToken }, properties) => {
        const calls = Array.from({ length: GUESSES }, (_, id) => {
          const params = { exchangeToken, patientProperties: properties() };
          return { ...callOf(METHODS.authenticate, params), id };
        });
        return world.sendJson('a batch of guesses', calls);
      });
    },
    judge: noMoreThanInTurn('a batch of guesses'),
    advice: 'Count each call of a batch, and look at the count again before each.',
  }),
  check({
    id: 'logout-seen-by-next-read',
    title: 'Once a logout is answered, no read gives data, however often the session was read before',
    requirements: ['3-logout-ends-session'],
    control: ['read before', 'log out'],
    expect: { 'read at once': refused('not_authorized') },
    async play(world) {
      const { session } = await world.linked();
      for (let read = 0; read < READS; read++) await world.getPatient('read before', session);
      await world.removeAuthInfo('log out', session);
      await Promise.all(Array.from({ length: READS }, () => world.getPatient('read at once', session)));
    },
    advice:
      'Look the session up for each call, or clear what was cached of it before the logout is answered.',
  }),
];
