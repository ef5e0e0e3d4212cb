/** Scenarios of requests at the same moment: guesses, confirmations, codes, sign-ins and exchange tokens. */
import type { Judgement, Steps } from '../../../../engine/check/steps.ts';
import { describe } from '../../../../engine/journal/played-steps.ts';
import type { PlayedStep } from '../../../../engine/journal/view.ts';
import type { Driver, StepOptions, User } from '../../people/driver.ts';
import { confirm, NOT_COUNTED, otherCode } from '../codes/guesses.ts';
import { flow } from '../flow.ts';
import { controlDone, fault, gotError, isDone, unclear, yielded } from '../step-values.ts';

const DEVICE_COUNT = 5;

/** One attempt alone may miss the moment at which a server errs. */
const ROUNDS = [1, 2] as const;
const confirmAtOnce = (round: number) => `confirm at once, time ${round}`;

export const oneCodeAtOnce = flow({
  id: 'one-code-at-once',
  title: 'One code is confirmed by several devices at the same moment',
  needs: ['requestOtp', 'confirmOtp'],
  people: ROUNDS.length,
  async play(driver) {
    for (const round of ROUNDS) {
      const abe = await driver.user(`Abe ${round}`);
      const code = await driver.code(abe, `request a code, time ${round}`);
      const devices = Array.from({ length: DEVICE_COUNT }, (_, index) =>
        driver.otherDevice(abe, `Abe ${round}, device ${index + 1}`),
      );
      await driver.steps.atOnce(
        devices.map((user) => ({ user, step: 'confirmOtp', label: confirmAtOnce(round), options: { code } })),
      );
    }
  },
  checks: {
    'code-works-once-at-once': {
      title: 'A code that several devices confirm at the same moment opens one session',
      requirements: ['K-code-once'],
      judge(steps) {
        const rounds = ROUNDS.map((round) => steps.all(confirmAtOnce(round)));
        if (rounds.flat().length === 0) steps.of(confirmAtOnce(1));
        for (const opened of rounds.map((played) => played.filter(isDone))) {
          const sessions = new Set(opened.map((each) => yielded(each, 'token')));
          if (sessions.size > 1)
            return fault('one session', `${sessions.size} sessions were opened with one code`, ...opened);
        }
        const good = rounds.flat().filter(isDone);
        return good.length > 0 ? { right: good } : unclear('no confirmation succeeded', ...rounds.flat());
      },
      advice:
        'Use the code up in the statement that finds it right, before anything slow is done; whoever changes no row is refused.',
    },
  },
});

/** The people who request codes at once: enough to meet on a shared variable, and as many as any file has. */
const ASKING_COUNT = 4;

const REQUEST = 'requests a code, all at once';
const CONFIRM = 'confirms the code that came to the own phone';
const SWAPPED = "confirms the code that came to another one's phone";

export const phonesAtOnce = flow({
  id: 'phones-at-once',
  title: 'Several people request codes at the same moment, and each confirms with their own',
  needs: ['requestOtp', 'confirmOtp'],
  people: ASKING_COUNT,
  async play(driver) {
    if (!driver.adapter.countsMessages || driver.freePeople < ASKING_COUNT) return;
    const users: User[] = [];
    for (let number = 1; number <= ASKING_COUNT; number++) users.push(await driver.user(`Pia ${number}`));
    const before = await Promise.all(users.map((user) => driver.messagesTo(user)));
    await driver.codes.take(ASKING_COUNT);
    const asked = await driver.steps.atOnce(
      users.map((user) => ({ user, step: 'requestOtp' as const, label: REQUEST })),
    );
    const sent = users.filter((_, index) => asked[index]?.kind === 'done');
    const came = await Promise.all(
      users.map((user, index) => newest(driver, user, before[index] ?? 0, sent)),
    );
    driver.observe(REQUEST, {
      asked: sent.length,
      messages: came.reduce((sum, { count }) => sum + count, 0),
      most: Math.max(...came.map(({ count }) => count)),
      without: users.filter((user, index) => sent.includes(user) && came[index]?.count === 0).length,
    });
    for (const [index, user] of users.entries()) {
      const code = came[index]?.code;
      if (code === undefined) continue;
      const confirmed = await driver.perform(user, 'confirmOtp', CONFIRM, { code });
      if (confirmed.kind !== 'refused') continue;
      for (const other of came.filter((_, place) => place !== index))
        if (other.code !== undefined) await confirmSwapped(driver, user, other.code);
    }
  },
  checks: {
    'codes-to-own-phones-at-once': {
      title: 'Of several people who request codes at the same moment each is sent their own',
      requirements: ['K-code-to-one-phone'],
      explains: ['crowd-unharmed'],
      judge(steps) {
        steps.of(REQUEST);
        const asked = steps.all(REQUEST);
        const { asked: people, messages, most, without } = steps.observed(REQUEST) ?? {};
        if (messages === undefined) return NOT_COUNTED;
        const isSwapped = steps.allObserved(SWAPPED).length > 0;
        if (isSwapped || (Number(without) > 0 && Number(most) > 1))
          return {
            expected: 'each code at the phone for which it was requested',
            actual: isSwapped
              ? "somebody's session was opened by the code that came to another phone, and not by the one that came to their own"
              : `${people} people requested codes at the same moment and ${messages} messages came: ${most} to one phone, none to ${without} of the others`,
            shownBy: asked,
          };
        const confirmed = steps.all(CONFIRM);
        const refused = confirmed.find((step) => !isDone(step));
        if (refused)
          return unclear(
            `a code that came to the own phone did not confirm it (${describe(refused.result)})`,
            ...asked,
          );
        return confirmed.length < 2
          ? unclear(`codes came to ${confirmed.length} of ${people} phones`, ...asked)
          : undefined;
      },
      advice:
        'Keep phone and code of a request in variables of that request alone: what requests share is overwritten by the next one.',
    },
  },
});

/** Tries a code that came to another phone, by a copy of the user: a foreign session must not become theirs. */
async function confirmSwapped(driver: Driver, user: User, code: string): Promise<void> {
  // An empty `requestSeq`: no request of this user is that of the code.
  const input = { defect: 'the code came to another phone', code, requestSeq: '' };
  const { kind } = await driver.perform({ ...user }, 'confirmOtp', SWAPPED, input);
  if (kind === 'done') driver.observe(SWAPPED, { isOpened: true });
}

/** Returns the newest code and the number of messages. Only a request that succeeded is waited for. */
async function newest(driver: Driver, user: User, since: number, sent: readonly User[]) {
  const found = sent.includes(user) ? await driver.codes.newest(user, since) : undefined;
  return found ?? { code: undefined, count: (await driver.messagesTo(user)) - since };
}

type Returned = { first: PlayedStep | undefined; again: PlayedStep };

function ownSessions(one: Returned, two: Returned): Judgement {
  const shownBy = [one.again, two.again];
  const bad = shownBy.find((played) => !isDone(played));
  if (!bad && yielded(one.again, 'token') === yielded(two.again, 'token'))
    return fault('two sessions', 'both users were given the same session', ...shownBy);
  const isOthers = ({ first, again }: Returned, other: Returned) =>
    first !== undefined &&
    other.first !== undefined &&
    isDone(again) &&
    yielded(again, 'user') === yielded(other.first, 'user') &&
    yielded(first, 'user') !== yielded(other.first, 'user');
  if (isOthers(one, two) || isOthers(two, one))
    return fault("each user's own session", "one was given the other's user", ...shownBy);
  return bad && unclear(`a sign-in did not succeed (${describe(bad.result)})`, bad);
}

export const signInsAtOnce = flow({
  id: 'sign-ins-at-once',
  title: 'Two linked users return at the same moment',
  people: 2,
  waits: ({ resend }) => resend,
  async play(driver) {
    const users = [await driver.user('Cleo'), await driver.user('Dora')];
    for (const user of users) {
      await driver.signIn(user, `${user.name} signs in`);
      await driver.link(user, `${user.name} links`);
    }
    if (!(await driver.time.passResendPause())) return;
    // Codes are requested one after another. Only the confirmations come at the same moment.
    const attempts = [];
    for (const { userSign = '', ...user } of users) {
      const { name } = user;
      const device = driver.otherDevice(user, `${name}'s other device`);
      const code = await driver.code(device, `${name} requests a code`);
      const label = `${name} returns at the same moment as the other`;
      attempts.push({ user: device, step: 'confirmOtp' as const, label, options: { code, userSign } });
    }
    await driver.steps.atOnce(attempts);
  },
  checks: {
    'sign-ins-at-once-apart': {
      title: 'Users who return at the same moment are each given their own session',
      requirements: ['K-requests-apart'],
      judge(steps) {
        const returned = (name: string): Returned => ({
          first: steps.find(`${name} signs in`),
          again: steps.of(`${name} returns at the same moment as the other`),
        });
        return ownSessions(returned('Cleo'), returned('Dora'));
      },
      advice: 'Keep the session that is being opened in a variable of its own request.',
    },
  },
});

const TOKEN_COUNT = 3;

export const oneSessionAtOnce = flow({
  id: 'one-session-at-once',
  title: 'Exchange tokens are asked for at the same moment',
  people: 2,
  async play(driver) {
    const both = [await driver.user('Ada'), await driver.user('Ben')];
    for (const user of both) {
      await driver.signIn(user, `${user.name} signs in`);
      await driver.mustSucceed(user, 'exchangeToken', `${user.name} asks for an exchange token`);
    }
    const tokens = both.map((user) => {
      return { user, step: 'exchangeToken', label: `${user.name} asks for exchange tokens at once` } as const;
    });
    await driver.steps.atOnce(Array.from({ length: TOKEN_COUNT }, () => tokens).flat());
  },
  checks: {},
});

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
      driver.steps.atOnce(attempts.map((attempt) => ({ step: 'confirmOtp' as const, ...attempt }))),
    );
    if (!driver.adapter.batchOf?.('confirmOtp')) {
      driver.note('A sign-in is no JSON-RPC call of this server, so nothing was guessed in a batch.');
      return;
    }
    await playRounds(driver, 'Eli', inBatch, async (attempts) => {
      const answer = await driver.steps.inOneBatch('confirmOtp', attempts);
      driver.observe(TAKEN, { taken: answer?.taken === true });
      return answer?.results ?? [];
    });
  },
  checks: {
    'tries-limited-at-once': {
      title: 'Guesses that come at the same moment do not pass the limit of tries',
      requirements: ['K-code-tries-limited'],
      judge: (steps) => confirmedInAll(steps, oneByOne),
      advice: COUNT_FIRST,
    },
    'tries-limited-in-batch': {
      title: 'Guesses in one JSON-RPC batch do not pass the limit of tries',
      requirements: ['K-code-tries-limited'],
      judge: (steps) =>
        steps.find(inBatch.right(1)) && steps.observed(TAKEN)?.taken === false
          ? { notApplicable: 'the server takes no JSON-RPC batches' }
          : confirmedInAll(steps, inBatch),
      advice: COUNT_FIRST,
    },
  },
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
    if (round > 1 && few && !(await driver.time.passResendPause())) return;
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
    return {
      expected: 'after a few wrong codes the right one is refused, wherever it stands among them',
      actual: `the right code confirmed in each of ${GUESS_ROUNDS} rounds, at a random place among ${GUESSES_PER_ROUND} guesses`,
      shownBy: rounds,
    };
  const alone = steps.of(ALONE);
  if (!isDone(alone)) return controlDone(alone, 'the right code alone did not confirm either');
  const wrong = steps.all(guess(rounds.length));
  const answered = wrong.filter(gotError);
  if (!gotError(last) || answered.length < wrong.length / 2)
    return unclear(`the guesses were not answered by refusals (${describe(last.result)})`, last);
  return { right: [alone, last] };
}
