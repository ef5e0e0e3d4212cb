/** Races: the kit sends the same call several times at the same moment. */
import { membersOf } from '#protocol/wire/envelope.ts';
import type { Check } from '../../../engine/check/check.ts';
import { rule } from '../../../engine/check/rule.ts';
import type { Judgement, Steps } from '../../../engine/check/steps.ts';
import { describe } from '../../../engine/journal/played-steps.ts';
import type { PlayedStep } from '../../../engine/journal/view.ts';
import { type EhrFlow, flow } from '../flow.ts';
import { type AuthInfo, callOf, isUnserved, METHODS, replyIn } from '../world/messages.ts';
import type { EhrWorld, Pending } from '../world/world.ts';

/** How often each race is repeated: one race alone may miss the moment at which a server errs. */
const ROUNDS = 4;
/** Calls at the same moment. No more than five: an exchange token or a phone allows few failed matches. */
const CALLERS = 5;

const TWO_KEPT = 'sessions-saved-at-once-kept';

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** Creates a judge: of the calls of one round no more than one may succeed. */
const onceARound =
  (expected: string, label: string) =>
  ({ all }: Steps): Judgement => {
    for (let round = 0; round < ROUNDS; round++) {
      const own = all(label)
        .slice(round * CALLERS, (round + 1) * CALLERS)
        .filter(({ result }) => result.kind === 'done');
      if (own.length > 1) return { expected, actual: `${own.length} calls succeeded`, shownBy: own };
    }
    return undefined;
  };

export const atOnceFlows: readonly EhrFlow[] = [
  flow('exchange-token-opened-once-at-once', {
    title: 'One exchange token that is used many times at the same moment opens once',
    requirements: ['D13-exchange-token-used-up'],
    judge: onceARound('one call succeeds', 'use it'),
    advice: 'Look the exchange token up and use it up in one transaction, or by one conditional update.',
    async play(world) {
      for (let round = 0; round < ROUNDS; round++) {
        const pending = await world.pending();
        await Promise.all(times(CALLERS, () => world.authenticate('use it', pending)()));
        await world.succeeds(world.getPatient('read the patient', pending.session));
        await world.release();
      }
    },
  }),
  flow('token-stored-once-at-once', {
    title: 'One session token that is saved many times at the same moment is stored once',
    requirements: ['8-token-used-once', '4.1-repeat-refused'],
    judge: onceARound('one save succeeds', 'save it'),
    advice: 'Give the session token a unique index in the database: a look beforehand does not suffice.',
    async play(world) {
      const { session, userSign } = await world.linked();
      for (let round = 0; round < ROUNDS; round++) {
        const next = world.session(session.user);
        await Promise.all(times(CALLERS, () => world.saveAuthInfo('save it', next, userSign)()));
        await world.succeeds(world.getPatient('read the patient', next), 'token-stored-once-at-once');
      }
      const earlier = await world.saved({ session, userSign });
      await world.saved({ session, userSign });
      const { result } = await world.getPatient('read with the earlier of two sessions', earlier)();
      // A server may let one session of a user live.
      if (result.kind !== 'done') return;
      for (let round = 0; round < ROUNDS; round++) {
        const both = times(2, () => world.session(session.user));
        const save = (each: AuthInfo) =>
          world.succeeds(world.saveAuthInfo('save two', each, userSign), TWO_KEPT);
        await Promise.all(both.map(save));
        for (const each of both)
          await world.succeeds(world.getPatient('read with each of two', each), TWO_KEPT);
      }
    },
    checks: {
      [TWO_KEPT]: {
        title: 'Two sessions of one user that are saved at the same moment both open',
        leftOut: 'the server lets one session of a user live',
        requirements: ['3-save-opens', '3-authenticated'],
        advice: 'Add a row for each session: a list of sessions that is read, changed and written loses one.',
      },
    },
  }),
];

const MEETING = { 'exchange-token-opened-once-at-once': 'use it', 'token-stored-once-at-once': 'save it' };

export const lateCallsRefused: Check = rule({
  party: 'EHR server',
  id: 'late-calls-refused',
  title: 'Of calls that meet, each that comes too late is refused, and none fails',
  requirements: ['K-late-call-refused'],
  scenarios: Object.keys(MEETING),
  of: (journal) => Object.entries(MEETING).flatMap(([scenario, label]) => journal.steps({ scenario, label })),
  nothing: { notApplicable: 'no calls met' },
  wrong: ({ result }) => isUnserved(result) && describe(result),
  expected: 'a success, or a refusal',
  advice:
    'Take the violation of a unique index, and a transaction that has to be repeated, for what they are.',
});

const IN_TURN = 'a guess in turn';
/** A server that takes this many failed matches in turn sets no limit. */
const MAX_IN_TURN = 20;
const AFTERWARDS = 'the right properties afterwards';
/** More guesses at once than MAX_IN_TURN, so that a server which counts late takes too many. */
const GUESSES = 30;
/** Failed matches with the phone of one patient that a right server may count in one of these scenarios. */
const COUNTED = 10;

/** Code, message without numbers, and reason: they tell whether the guess was tried. */
function wordsOf(reply: unknown): string {
  const { code, message, data } = membersOf(membersOf(reply).error);
  return [code, String(message).replace(/\d+/g, ''), membersOf(data).reason].join(' ');
}

const answersIn = (played: readonly PlayedStep[]): string[] =>
  played.flatMap((step) => [replyIn(step) as unknown].flat()).map(wordsOf);

/** Requires an end to the failed matches in turn, no more at once: tried is what is answered as the first. */
const noMoreThanInTurn =
  (label: string) =>
  ({ all }: Steps): Judgement => {
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

/** Guesses at one patient: in turn until the server answers otherwise, and then by `guess`. */
async function guessAt(
  world: EhrWorld,
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
    const inTurn = world.authenticate(IN_TURN, pending, { properties: properties() });
    answers.push(wordsOf((await world.refuses(inTurn)).reply));
  }
  if (answers.at(-1) === answers[0]) await world.authenticate(AFTERWARDS, pending)();
  await guess(await world.pending({ person }), properties);
}

export const racesOfStateFlows: readonly EhrFlow[] = [
  flow('guesses-counted-at-once', {
    title: 'Wrong properties that are sent at the same moment are counted like those sent in turn',
    requirements: ['K-guesses-limited'],
    judge: noMoreThanInTurn('a guess'),
    advice:
      'Count the failure in the same transaction that looks at the count, or by one conditional update.',
    async play(world) {
      await guessAt(world, (pending, properties) => {
        const guess = () => world.authenticate('a guess', pending, { properties: properties() })();
        return Promise.all(times(GUESSES, guess));
      });
    },
  }),
  flow('guesses-counted-in-batch', {
    title: 'Wrong properties in one batch are counted like those sent one by one',
    requirements: ['K-guesses-limited'],
    judge: noMoreThanInTurn('a batch of guesses'),
    advice: 'Count each call of a batch, and look at the count again before each.',
    async play(world) {
      await guessAt(world, ({ exchangeToken }, properties) => {
        const calls = times(GUESSES, (id) => {
          const params = { exchangeToken, patientProperties: properties() };
          return { ...callOf(METHODS.authenticate, params), id };
        });
        return world.sendJson('a batch of guesses', calls)();
      });
    },
  }),
];
