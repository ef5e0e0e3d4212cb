/** Tries many wrong codes before the right one, and checks that the server limits the tries of each code. */
import type { Judgement, Steps } from '../../../../engine/check/steps.ts';
import { describe } from '../../../../engine/journal/played-steps.ts';
import type { JournalView, PlayedStep } from '../../../../engine/journal/view.ts';
import { withHeader } from '../../../../engine/wire/request-change.ts';
import type { Driver, User } from '../../people/driver.ts';
import { resendPauseOf } from '../../people/time/scenario-time.ts';
import { controlOf, flow, refused } from '../flow.ts';
import { crowd } from '../links/crowd.ts';
import { askedBy, gotError, isDone, unclear } from '../step-values.ts';
import {
  codeAgreeingIn,
  confirm,
  GUESSES_BETWEEN_REQUESTS,
  guess,
  isOutlived,
  MESSAGE_WAIT_MS,
  OUTLIVED,
  opensNoSession,
  otherCode,
  TOO_MANY,
  TRY_COUNT,
  UNLIMITED,
} from './guesses.ts';
import { RIGHT_BETWEEN, supersededCode, tooFarApart } from './over-time.ts';

const NEAR = 'a code that is wrong in its last digit alone';
const FAR = 'a code that is right in its first digit alone';

/** Judges whether the refusals of NEAR and FAR count or mark the digits that are right. */
function digitsTold(steps: Steps): Judgement {
  const [near, far] = [steps.find(NEAR), steps.find(FAR)];
  const length = Number(steps.observed(NEAR)?.length);
  if (!near || !far) return undefined;
  // A code of two digits is near and far at once; NaN, where none was recorded, is not above 2.
  if (!(length > 2)) return unclear('the codes are too short to be right in part', near, far);
  const [ofNear, ofFar] = [countsIn(near), countsIn(far)];
  const shown = countsOrMarks(length).find(([high, low]) =>
    ofNear.some((count, place) => count === high && ofFar[place] === low),
  );
  return (
    shown && {
      expected: 'the same answer, however much of a wrong code is right',
      actual: `the answers have ${shown[0]} and ${shown[1]} at the same place: one code was wrong in its last digit alone, the other right in its first digit alone`,
      shownBy: [near, far],
    }
  );
}

/** What gives the digits away: how many are right, how many wrong, or a mark for each. */
const countsOrMarks = (length: number): readonly (readonly [near: string, far: string])[] => [
  [`${length - 1}`, '1'],
  ['1', `${length - 1}`],
  [marks(length, length - 1), marks(length, 1)],
];

const marks = (length: number, right: number) => '1'.repeat(right) + '0'.repeat(length - right);

/** The numbers in an answer, in order. A list of true and false, or of 1 and 0, becomes a row such as 110. */
function countsIn(played: PlayedStep): string[] {
  const body = askedBy(played)?.response?.body ?? '';
  const rows = body
    .replace(/true/g, '1')
    .replace(/false/g, '0')
    .replace(/\[[01](?:\s*,\s*[01])*\]/g, (row) => row.replace(/\D/g, ''));
  return rows.match(/(?<![\w.-])\d{1,10}(?![\w.-])/g) ?? [];
}

const RIGHT_AT_ONCE = 'right code at once';
const RIGHT_AFTER_GUESSES = 'right code after many guesses';
const FIRST_OF_RON = 'Ron requests a code';
const TOO_SOON = 'another code for Ron, too soon';
const RIGHT_OF_RON = 'right code of Ron after many guesses';

const SURVIVE = 'tries-survive-refused-request';

export const guessedCodes = flow({
  id: 'guessed-codes',
  title:
    'Many wrong codes are tried before the right one, in one go and with requests for another code between them',
  needs: ['requestOtp', 'confirmOtp'],
  people: 3,
  codes: 6,
  async play(driver) {
    const ron = await driver.user('Ron');
    const [ivy, jon] = [await driver.user('Ivy'), await driver.user('Jon')];
    const requestedAt = driver.time.now();
    const [jons, code] = await driver.time.together([
      () => driver.code(jon, 'Jon requests a code'),
      () => driver.code(ivy, 'Ivy requests a code'),
    ]);
    await driver.perform(jon, 'confirmOtp', RIGHT_AT_ONCE, {
      code: jons,
      expects: controlOf('tries-limited', 'refusal-tells-no-digits', SURVIVE),
    });
    await driver.time.together([
      () => guessInOneGo(driver, ivy, { code, requestedAt }),
      () => guessBetweenRequests(driver, ron),
    ]);
  },
  checks: {
    'tries-limited': {
      title: 'Many wrong codes make even the right one useless',
      requirements: ['K-code-tries-limited'],
      leftOut: OUTLIVED,
      advice:
        'Count the wrong tries of each code. After a few, refuse every try at it, with the right code too.',
    },
    'tries-kept-beside-others': {
      title: 'Wrong codes are counted although other people sign in between them',
      requirements: ['K-code-tries-limited'],
      also: [crowd],
      judge: keptBesideOthers,
      advice:
        'Keep the count of tries with the code, for as long as the code lives: what other people request must not push it out.',
    },
    'refusal-tells-no-digits': {
      title: 'The refusal of a wrong code does not tell how much of it is right',
      requirements: ['K-code-to-phone-alone'],
      settled: digitsTold,
      judge(steps) {
        const tried = [steps.of(NEAR), steps.of(FAR)];
        const odd = tried.find((each) => !gotError(each));
        return odd && unclear(`a guess was not refused (${describe(odd.result)})`, ...tried);
      },
      advice:
        'Answer each wrong code alike: whoever learns how much of a guess is right finds the code digit by digit.',
    },
    [SURVIVE]: {
      title:
        'A request for another code that sends none, or the same, gives back no tries of the code before',
      requirements: ['K-code-tries-limited'],
      also: [supersededCode],
      settled(steps) {
        const again = steps.in(supersededCode).find(RIGHT_BETWEEN);
        if (again && isDone(again))
          return (
            unlessLimited(steps) ?? {
              expected: 'the right code is refused after as many wrong ones as without these messages',
              actual: `the same code was sent again and again, and confirmed after ${TRY_COUNT} wrong ones`,
              shownBy: [again],
            }
          );
        const sent = steps.allObserved(TOO_SOON).find(({ messages }) => Number(messages) > 0);
        if (sent)
          return (
            tooFarApart(steps.of(FIRST_OF_RON), steps.of(TOO_SOON), sent.pause) ?? {
              notApplicable: 'another code is sent at once, so no request is refused',
            }
          );
        return steps.find(RIGHT_OF_RON) && unlessLimited(steps);
      },
      advice:
        'Count the tries with the code that they are for, and begin again only with a new code. A request that is refused changes nothing.',
    },
  },
});

/** Where many wrong codes leave the right one useful, no other flow shows how tries are counted. */
export function unlessLimited(steps: Steps): Judgement {
  const limited = steps.find(RIGHT_AFTER_GUESSES);
  return limited && isDone(limited) ? { notApplicable: UNLIMITED } : undefined;
}

async function guessInOneGo(
  driver: Driver,
  ivy: User,
  { code, requestedAt }: { code: string; requestedAt: number },
): Promise<void> {
  await confirm(driver, ivy, NEAR, codeAgreeingIn(code, code.length - 1), 'a guess');
  await confirm(driver, ivy, FAR, codeAgreeingIn(code, 1), 'a guess');
  driver.observe(NEAR, { length: code.length });
  await guess(driver, ivy, 'guess', code);
  if (isOutlived(driver, requestedAt)) return;
  await confirm(driver, ivy, RIGHT_AFTER_GUESSES, code, TOO_MANY, opensNoSession('tries-limited'));
}

/** Requests another code, too soon, after every few guesses. The tries must not begin again with it. */
async function guessBetweenRequests(driver: Driver, ron: User): Promise<void> {
  if (!driver.adapter.countsMessages) return;
  await driver.codes.reserve(1 + TRY_COUNT / GUESSES_BETWEEN_REQUESTS);
  const requestedAt = driver.time.now();
  const code = await driver.code(ron, FIRST_OF_RON);
  for (let tried = 0; tried < TRY_COUNT; tried += GUESSES_BETWEEN_REQUESTS) {
    const range = { from: tried + 1, to: tried + GUESSES_BETWEEN_REQUESTS };
    await guess(driver, ron, 'guess at the code of Ron', code, range);
    const options = { defect: 'a code was sent a moment ago', waitMs: MESSAGE_WAIT_MS };
    const { messages } = await driver.codes.request(ron, TOO_SOON, options);
    const pause = resendPauseOf(driver.adapter);
    driver.observe(TOO_SOON, { messages, ...(pause > 0 && { pause }) });
    if (messages > 0) return;
  }
  if (isOutlived(driver, requestedAt)) return;
  const words = 'the right code is refused after as many wrong ones as without these requests';
  await confirm(driver, ron, RIGHT_OF_RON, code, TOO_MANY, refused(words, { check: SURVIVE }));
}

/** A server that keeps only the newest counts forgets the tries: `crowd` plays these guesses. */
function keptBesideOthers(steps: Steps, journal: JournalView): Judgement {
  const crowded = steps.in(crowd);
  const attempt = crowded.of('right code of Vic after many guesses');
  const limited = steps.of(RIGHT_AFTER_GUESSES);
  if (!isRightConfirmed(steps)) return unclear(NO_CODE_CONFIRMED, limited);
  const guesses = crowded.all('guess at the code of Vic, between sign-ins of the crowd');
  const requested = crowded.find('Vic requests a code before the crowd');
  if (!requested || !othersAskedBeside(journal, requested, guesses))
    return unclear('nobody else was sent a code while the guesses were made', attempt);
  if (isDone(attempt))
    return {
      expected: 'the right code is refused after so many wrong ones',
      actual: `after ${guesses.length} wrong codes between the sign-ins of other people it confirmed`,
      shownBy: [...guesses.map(({ step }) => step), attempt],
    };
  if (isDone(limited)) return { notApplicable: UNLIMITED };
  return gotError(attempt) ? { right: [limited, attempt] } : unclear(describe(attempt.result), attempt);
}

/** Whether other people were sent codes after this request, before the last of these guesses. */
function othersAskedBeside(
  journal: JournalView,
  requested: PlayedStep,
  guesses: readonly PlayedStep[],
): boolean {
  const lastSeq = guesses.at(-1)?.step.seq ?? 0;
  return journal
    .allSteps('requestOtp')
    .some((each) => each.step.seq > requested.step.seq && each.step.seq < lastSeq && isDone(each));
}

/** Whether a right code confirmed that no guess came before. `steps`: those of {@link guessedCodes}. */
export const isRightConfirmed = (steps: Steps): boolean => steps.all(RIGHT_AT_ONCE).some(isDone);

export const NO_CODE_CONFIRMED = 'a right code that no guess came before did not confirm either';

const AFTERWARDS = 'right code after many guesses from claimed addresses';

export const claimedAddresses = flow({
  id: 'claimed-addresses',
  title: 'Many wrong codes are tried, each from an address that the client claims',
  needs: ['requestOtp', 'confirmOtp'],
  async play(driver) {
    const kai = await driver.user('Kai');
    const requestedAt = driver.time.now();
    const code = await driver.code(kai, 'Kai requests a code');
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
  checks: {
    'tries-limited-from-claimed-addresses': {
      title: 'Wrong codes are limited whatever address the client claims to have',
      requirements: ['K-code-tries-limited'],
      also: [guessedCodes, crowd],
      leftOut: OUTLIVED,
      judge: limitedFromAddresses,
      advice:
        'Count the tries of the code itself. Take an address from X-Forwarded-For only where a proxy of your own has set it.',
    },
  },
});

function limitedFromAddresses(steps: Steps): Judgement {
  const attempt = steps.of(AFTERWARDS);
  const guessed = steps.in(guessedCodes);
  const limited = guessed.of(RIGHT_AFTER_GUESSES);
  if (!isRightConfirmed(guessed)) return unclear(NO_CODE_CONFIRMED, limited);
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
  return gotError(attempt) ? { right: [limited, attempt] } : unclear(describe(attempt.result), attempt);
}
