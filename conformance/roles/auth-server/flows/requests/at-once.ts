/** Requests at the same moment: what is right one after another must be right then, too. */
import type { Driver, StepOptions, User } from '../../player/driver.ts';
import { resendPauseOf } from '../../player/time/times.ts';
import { otherCode } from '../codes/codes.ts';
import { type Label, scenario } from '../scenario.ts';

/** The number of devices that confirm one code at once. */
const DEVICE_COUNT = 5;
const CODE_ROUND_COUNT = 2;

export const oneCodeAtOnce = scenario({
  id: 'one-code-at-once',
  title: 'One code is confirmed by several devices at the same moment',
  needs: ['requestOtp', 'confirmOtp'],
  people: CODE_ROUND_COUNT,
  steps: {
    requests: (round: number) => `request a code, time ${round}`,
    confirm: (round: number) => `confirm at once, time ${round}`,
  },
  async run(driver, steps) {
    for (let round = 1; round <= CODE_ROUND_COUNT; round++) {
      const abe = await driver.user(`Abe ${round}`);
      const code = await driver.code(abe, steps.requests(round));
      const devices = Array.from({ length: DEVICE_COUNT }, (_, index) =>
        driver.otherDevice(abe, `Abe ${round}, device ${index + 1}`),
      );
      await driver.atOnce(
        devices.map((user) => ({
          user,
          step: 'confirmOtp',
          label: steps.confirm(round),
          options: { input: { code } },
        })),
      );
    }
  },
});

export const codeRounds: readonly number[] = Array.from({ length: CODE_ROUND_COUNT }, (_, index) => index + 1);

/** The number of guesses sent together, the right code among them. */
export const GUESSES_PER_ROUND = 40;
/**
 * Rounds in which the right code must confirm before the server fails. Its place among the guesses is drawn
 * again each time. So a server that evaluates five wrong codes and the right one confirms in all rounds once
 * in 13,000 runs; one that evaluates twelve, once in 275.
 */
export const GUESS_ROUNDS = 5;

export const guessesAtOnce = scenario({
  id: 'guesses-at-once',
  title: 'Many guesses come at the same moment, and in one batch, with the right code at a random place among them',
  needs: ['requestOtp', 'confirmOtp'],
  people: 3,
  steps: {
    controlRequests: 'Kay requests a code',
    control: 'the right code alone',
    requests: (round: number) => `request a code, time ${round}`,
    guess: (round: number) => `guess, time ${round}`,
    right: (round: number) => `the right code among the guesses, time ${round}`,
    batchRequests: (round: number) => `request a code for the batch, time ${round}`,
    batchGuess: (round: number) => `guess in a batch, time ${round}`,
    batchRight: (round: number) => `the right code in the batch, time ${round}`,
    batchTaken: 'batches are taken',
  },
  async run(driver, steps) {
    const kay = await driver.user('Kay');
    const code = await driver.code(kay, steps.controlRequests);
    await driver.perform(kay, 'confirmOtp', steps.control, { input: { code } });
    await playGuessRounds(driver, 'Ivo', steps, async (attempts) => {
      const all = attempts.map((attempt) => ({ step: 'confirmOtp' as const, ...attempt }));
      return driver.atOnce(all);
    });
    if (!driver.adapter.batchOf?.('confirmOtp')) {
      driver.note('A sign-in is no JSON-RPC call of this server, so nothing was guessed in a batch.');
      return;
    }
    const batch = { requests: steps.batchRequests, guess: steps.batchGuess, right: steps.batchRight };
    await playGuessRounds(driver, 'Eli', batch, async (attempts) => {
      const answer = await driver.inOneBatch('confirmOtp', attempts);
      driver.observe(steps.batchTaken, { taken: answer?.taken === true });
      return answer?.results ?? [];
    });
  },
});

type Attempt = { user: User; label: Label; options: StepOptions };

/** Sends rounds of guesses until the right code is not confirmed, or all rounds are done. */
async function playGuessRounds(
  driver: Driver,
  name: string,
  steps: Pick<typeof guessesAtOnce.steps, 'requests' | 'guess' | 'right'>,
  send: (attempts: Attempt[]) => Promise<{ kind: string }[]>,
): Promise<void> {
  const few = Number.isFinite(driver.adapter.phoneCount);
  let user = await driver.user(`${name} 1`);
  for (let round = 1; round <= GUESS_ROUNDS; round++) {
    if (round > 1 && few && !(await driver.passResendPause())) return;
    if (round > 1 && !few) user = await driver.user(`${name} ${round}`);
    const code = await driver.code(user, steps.requests(round));
    const place = driver.draw(GUESSES_PER_ROUND);
    const attempts = Array.from({ length: GUESSES_PER_ROUND }, (_, index): Attempt => {
      const device = driver.otherDevice(user, `${user.name}, guess ${index + 1}`);
      return index === place
        ? { user: device, label: steps.right(round), options: { input: { code } } }
        : {
            user: device,
            label: steps.guess(round),
            options: { defect: 'a guess', input: { code: otherCode(code, index + 1) } },
          };
    });
    const results = await send(attempts);
    if (results[place]?.kind !== 'done') return;
  }
}

export const codesAtOnce = scenario({
  id: 'codes-at-once',
  title: 'Two codes are requested at the same moment, and a wrong code is tried while another is requested',
  needs: ['requestOtp', 'confirmOtp'],
  people: 2,
  waits: ({ resend }) => resend,
  steps: {
    twice: 'request a code, twice at once',
    messages: 'messages after two requests',
    newest: 'confirm the newest code',
    before: 'a code before the resend',
    wrong: 'wrong code during the resend',
    resend: 'the code is requested anew',
    resent: 'confirm the code of the resend',
    old: 'the code before the resend',
  },
  async run(driver, steps) {
    const ula = await driver.user('Ula');
    const since = await driver.adapter.messagesTo(ula.phone);
    await driver.codes.take(2);
    const asked = await driver.atOnce(
      [1, 2].map((number) => ({
        user: driver.otherDevice(ula, `Ula, device ${number}`),
        step: 'requestOtp',
        label: steps.twice,
      })),
    );
    const sent = asked.filter(({ kind }) => kind === 'done').length;
    const newest = sent > 0 ? await newestOf(driver, ula, { since, sent }) : undefined;
    if (newest) {
      // Deliveries may overtake each other, and of two challenges the kit knows only the one answered last.
      const isCertain = newest.count === sent && (sent === 1 || (isOutbox(driver) && !driver.adapter.bindsCodes));
      const pause = driver.adapter.countsMessages ? resendPauseOf(driver.adapter) : 0;
      driver.observe(steps.messages, { count: newest.count, isCertain, ...(pause > 0 && { pause }) });
      await driver.perform(ula, 'confirmOtp', steps.newest, { input: { code: newest.code } });
    }
    const vic = await driver.user('Vic');
    const old = await driver.code(vic, steps.before);
    if (!(await driver.passResendPause())) return;
    const messages = await driver.messagesTo(vic);
    await driver.codes.take(1);
    const guesser = driver.otherDevice(vic, 'Vic, other device');
    await driver.atOnce([
      {
        user: guesser,
        step: 'confirmOtp',
        label: steps.wrong,
        options: { defect: 'the code differs from the one sent', input: { code: otherCode(old) } },
      },
      { user: vic, step: 'requestOtp', label: steps.resend },
    ]);
    const fresh = (await driver.codes.newest(vic, messages))?.code;
    if (fresh === undefined || fresh === old || fresh === otherCode(old)) return;
    const result = await driver.perform(vic, 'confirmOtp', steps.resent, { input: { code: fresh } });
    if (result.kind === 'done') return;
    await driver.perform(driver.otherDevice(vic, 'Vic, old code'), 'confirmOtp', steps.old, {
      defect: 'a newer code was sent since',
      input: { code: old },
    });
  },
});

/** Returns the newest of the sent messages; waits a moment for those after the first. */
async function newestOf(driver: Driver, user: User, { since, sent }: { since: number; sent: number }) {
  const first = await driver.codes.newest(user, since);
  if (first === undefined || first.count >= sent) return first;
  const later = await driver.codes.newest(user, since + first.count, SECOND_MESSAGE_WAIT_MS);
  return later ? { code: later.code, count: first.count + later.count } : first;
}

/** Limits the wait (ms) for a second message, which need not come. */
const SECOND_MESSAGE_WAIT_MS = 500;

/** Whether the messages are in the server's own order; at a sink they are in the order of delivery. */
function isOutbox({ adapter }: Driver): boolean {
  return JSON.stringify(adapter.publicConfiguration.otp)?.includes('"source":"outbox"') ?? false;
}
