/** One-time codes: the right one as the control, and each way in which a code can be wrong. */
import type { Driver, User } from '../../player/driver.ts';
import { DEFAULT_CODE_LIFETIME_SECONDS } from '../../player/time/times.ts';
import { type Label, scenario } from '../scenario.ts';

/** A wrong code of the same length; `offset` makes several different ones. */
export function otherCode(code: string, offset = 1): string {
  const digits = code.replace(/\D/g, '').length || 6;
  return String((Number(code) + offset) % 10 ** digits).padStart(digits, '0');
}

/** A wrong code that agrees with the right one in this many digits. */
function codeAgreeingIn(code: string, digits: number): string {
  return [...code].map((digit, place) => (place < digits ? digit : otherCode(digit, 5))).join('');
}

const confirm = (driver: Driver, user: User, label: Label, code: string, defect?: string) =>
  driver.perform(user, 'confirmOtp', label, { input: { code }, ...(defect !== undefined && { defect }) });

/** The mistake of a session that nobody opened. */
export const CAME_WITH_REFUSAL = 'the value came with the refusal of a wrong code';

export const wrongCodes = scenario({
  id: 'wrong-codes',
  title: 'Codes that are wrong, used already or sent to somebody else are tried beside the right one',
  needs: ['requestOtp', 'confirmOtp'],
  people: 3,
  steps: {
    unrequested: 'a code although none was requested',
    eveRequests: 'Eve requests a code',
    wrong: 'wrong code',
    carried: 'exchange token with what the refusal of the wrong code carries',
    inventedInstead: 'exchange token with an invented value in its place',
    fayRequests: 'Fay requests a code',
    gusRequests: "a third phone's code, where the first two are equal",
    foreign: "another phone's code",
    fayRight: 'Fay: right code',
    right: 'right code',
    used: 'used code',
  },
  async run(driver, steps) {
    const [eve, fay, nobody] = [await driver.user('Eve'), await driver.user('Fay'), await driver.user('Nobody')];
    await confirm(driver, nobody, steps.unrequested, '000000', 'no code was requested for this phone');
    const code = await driver.code(eve, steps.eveRequests);
    await confirm(driver, eve, steps.wrong, otherCode(code), 'the code differs from the one sent');
    await driver.tryCarried(eve, CAME_WITH_REFUSAL, steps);
    const fays = await driver.code(fay, steps.fayRequests);
    // Two codes may be equal by chance, three hardly: a third equal one shows that the phone does not matter.
    const foreign = fays === code ? await driver.code(nobody, steps.gusRequests) : code;
    await confirm(driver, fay, steps.foreign, foreign, 'the code was sent to another phone');
    await confirm(driver, fay, steps.fayRight, fays);
    await confirm(driver, eve, steps.right, code);
    await confirm(driver, eve, steps.used, code, 'the code was used already');
  },
});

export const supersededCode = scenario({
  id: 'superseded-code',
  title: 'A second code is requested, and the first one tried before the second',
  needs: ['requestOtp', 'confirmOtp'],
  waits: ({ resend }) => resend,
  steps: {
    first: 'first code',
    second: 'second code',
    third: 'third code, where the first two are equal',
    superseded: 'superseded code',
    newest: 'newest code',
  },
  async run(driver, steps) {
    const gil = await driver.user('Gil');
    const old = await driver.code(gil, steps.first);
    if (!(await driver.passResendPause())) return;
    let fresh = await driver.code(gil, steps.second);
    if (fresh === old && (await driver.passResendPause())) fresh = await driver.code(gil, steps.third);
    // A server that repeats a code while it is valid has invalidated none.
    driver.observe(steps.newest, { isOther: fresh !== old });
    if (fresh === old) return void (await confirm(driver, gil, steps.newest, fresh));
    // First with the values kept from its own request, such as a challenge, then with those of the newest
    // request.
    for (const own of [{}, { requestSeq: '' }])
      await driver.perform(gil, 'confirmOtp', steps.superseded, {
        defect: 'a newer code was sent since',
        input: { code: old, ...own },
      });
    await confirm(driver, gil, steps.newest, fresh);
  },
});

export const expiredCode = scenario({
  id: 'expired-code',
  title: 'Codes are tried after their lifetime, one of them after a wrong try at half of it',
  needs: ['requestOtp', 'confirmOtp'],
  people: 2,
  waits: ({ resend, codeLifetime }) => resend + (codeLifetime > 64 ? 0 : codeLifetime + 1),
  steps: {
    requested: 'a code for use in time',
    inTime: 'code in time',
    kept: 'a code to be kept too long',
    tried: 'a code to be tried wrongly and kept too long',
    expired: 'expired code',
    wrongTry: 'wrong code at half of the lifetime',
    expiredAfterTry: 'expired code after a wrong try',
  },
  async run(driver, steps) {
    const [hal, ida] = [await driver.user('Hal'), await driver.user('Ida')];
    await confirm(driver, hal, steps.inTime, await driver.code(hal, steps.requested));
    await driver.passResendPause();
    const code = await driver.code(hal, steps.kept);
    const idas = await driver.code(ida, steps.tried);
    const lifetime = (driver.adapter.otpLifetimeSeconds ?? DEFAULT_CODE_LIFETIME_SECONDS) * 1_000;
    const half = { longestWaitMs: HALF_LIFE_WAIT_MS };
    const isHalf = lifetime / 2 + 1_000 <= HALF_LIFE_WAIT_MS || driver.canAdvanceTime;
    if (!isHalf || !(await driver.advanceTime(lifetime / 2, half))) {
      driver.note(
        `A code lives ${lifetime / 1_000} s here and the adapter cannot move the clock: its expiry was not tried.`,
      );
      return;
    }
    await confirm(driver, ida, steps.wrongTry, otherCode(idas), 'a guess');
    if (!(await driver.advanceTime(lifetime / 2 + 1_000, half))) return;
    const defect = 'the lifetime of the code has run out';
    await confirm(driver, hal, steps.expired, code, defect);
    await confirm(driver, ida, steps.expiredAfterTry, idas, defect);
  },
});

/** Limits the real wait (ms) for half the lifetime of a code, where the clock cannot be moved. */
export const HALF_LIFE_WAIT_MS = 33_000;

/** Exceeds the tries that a careful server allows. */
export const TRY_COUNT = 12;

export const guessedCodes = scenario({
  id: 'guessed-codes',
  title: 'Many wrong codes are tried before the right one, in one go and with requests for another code between them',
  needs: ['requestOtp', 'confirmOtp'],
  people: 3,
  codes: 6,
  steps: {
    jonRequests: 'Jon requests a code',
    atOnce: 'right code at once',
    ivyRequests: 'Ivy requests a code',
    nearlyRight: 'a code that is wrong in its last digit alone',
    hardlyRight: 'a code that is right in its first digit alone',
    guess: 'guess',
    afterwards: 'right code after many guesses',
    ronRequests: 'Ron requests a code',
    ronGuess: 'guess at the code of Ron',
    tooSoon: 'another code for Ron, too soon',
    ronAfterwards: 'right code of Ron after many guesses',
  },
  async run(driver, steps) {
    const ron = await driver.user('Ron');
    const [ivy, jon] = [await driver.user('Ivy'), await driver.user('Jon')];
    const [jons, code] = await driver.together([
      () => driver.code(jon, steps.jonRequests),
      () => driver.code(ivy, steps.ivyRequests),
    ]);
    const guessInOneGo = async () => {
      await confirm(driver, ivy, steps.nearlyRight, codeAgreeingIn(code, code.length - 1), 'a guess');
      await confirm(driver, ivy, steps.hardlyRight, codeAgreeingIn(code, 1), 'a guess');
      driver.observe(steps.nearlyRight, { length: code.length });
      for (let attempt = 1; attempt <= TRY_COUNT; attempt++)
        await confirm(driver, ivy, steps.guess, otherCode(code, attempt), 'a guess');
      await confirm(driver, ivy, steps.afterwards, code, TOO_MANY);
    };
    await confirm(driver, jon, steps.atOnce, jons);
    await driver.together([guessInOneGo, () => guessBetweenRequests(driver, ron)]);
  },
});

const TOO_MANY = 'too many wrong codes came before it';

/** Requests another code after every few guesses, within the pause in which none is sent. */
async function guessBetweenRequests(driver: Driver, ron: User): Promise<void> {
  const { steps } = guessedCodes;
  if (!driver.adapter.countsMessages) return;
  await driver.codes.reserve(1 + TRY_COUNT / GUESSES_BETWEEN_REQUESTS);
  const code = await driver.code(ron, steps.ronRequests);
  for (let tried = 0; tried < TRY_COUNT; tried += GUESSES_BETWEEN_REQUESTS) {
    // One after another: a server may refuse, and not count, what comes while it tries another code.
    for (let guess = tried + 1; guess <= tried + GUESSES_BETWEEN_REQUESTS; guess++)
      await confirm(driver, ron, steps.ronGuess, otherCode(code, guess), 'a guess');
    const again = await driver.codes.request(ron, steps.tooSoon, {
      defect: 'a code was sent a moment ago',
      waitMs: MESSAGE_WAIT_MS,
    });
    driver.observe(steps.tooSoon, { messages: again.messages });
    if (again.messages > 0) return;
  }
  await confirm(driver, ron, steps.ronAfterwards, code, TOO_MANY);
}

/** Limits the wait (ms) for a message after a success. */
const MESSAGE_WAIT_MS = 400;

/** Fewer than a careful server allows for one code. */
const GUESSES_BETWEEN_REQUESTS = 4;

export const knownAndUnknown = scenario({
  id: 'known-and-unknown',
  title: 'Codes are requested for phones of users and for phones of nobody',
  needs: ['requestOtp', 'confirmOtp'],
  when: 'alone',
  people: 4,
  codes: 15,
  waits: ({ resend }) => resend,
  steps: { becomesKnown: 'becomes known', known: 'code for a known phone', unknown: 'code for an unknown phone' },
  async run(driver, steps) {
    const count = Math.min(5, Math.floor(driver.freePeople / 2));
    const known: User[] = [];
    for (let number = 1; number <= count; number++) known.push(await driver.user(`known ${number}`));
    await driver.together(known.map((user) => () => driver.signIn(user, steps.becomesKnown)));
    await driver.passResendPause();
    const requestsOf = known.map((user, index) => async () => {
      await driver.perform(user, 'requestOtp', steps.known);
      const stranger = driver.adapter.unknownPhone(index);
      // All phones of a list are known.
      if (stranger === undefined && Number.isFinite(driver.adapter.phoneCount)) return;
      const name = `un${user.name}`;
      const nobody = stranger === undefined ? await driver.user(name) : await driver.userAt(name, stranger);
      await driver.perform(nobody, 'requestOtp', steps.unknown);
    });
    if (driver.serverWaits) return void (await driver.together(requestsOf));
    for (const request of requestsOf) await request();
  },
});
