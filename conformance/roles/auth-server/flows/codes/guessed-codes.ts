/** Tries many wrong codes before the right one, and checks that the server limits the tries of each code. */
import type { Judgement, Steps } from '../../../../engine/check/steps.ts';
import { describe } from '../../../../engine/journal/played-steps.ts';
import type { JournalView, PlayedStep } from '../../../../engine/journal/view.ts';
import type { Driver, User } from '../../people/driver.ts';
import { controlOf, flow, refused } from '../flow.ts';
import { crowd } from '../links/crowd.ts';
import { askedBy, fault, isDone, unclear, wasTold } from '../step-values.ts';
import {
  codeAgreeingIn,
  confirm,
  isOutlived,
  MESSAGE_WAIT_MS,
  OUTLIVED,
  opensNoSession,
  otherCode,
  TOO_MANY,
  TRY_COUNT,
  UNLIMITED,
} from './guesses.ts';
import { RIGHT_BETWEEN, supersededCode } from './over-time.ts';

const NEAR = 'a code that is wrong in its last digit alone';
const FAR = 'a code that is right in its first digit alone';

function digitsTold(steps: Steps): Judgement {
  const [near, far] = [steps.find(NEAR), steps.find(FAR)];
  const length = Number(steps.observed(NEAR)?.length);
  if (!near || !far) return undefined;
  // A code of two digits is near and far at once; NaN, where none was recorded, is not above 2.
  if (!(length > 2)) return unclear('the codes are too short to be right in part', near, far);
  const [ofNear, ofFar] = [countsIn(near), countsIn(far)];
  const shown = told(length).find(([high, low]) =>
    ofNear.some((count, place) => count === high && ofFar[place] === low),
  );
  return (
    shown &&
    fault(
      'the same answer, however much of a wrong code is right',
      `the answers have ${shown[0]} and ${shown[1]} at the same place: one code was wrong in its last digit alone, the other right in its first digit alone`,
      near,
      far,
    )
  );
}

/** What gives the digits away: how many are right, how many wrong, or a mark for each. */
const told = (length: number): readonly (readonly [near: string, far: string])[] => [
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
    const guessInOneGo = async () => {
      const nearly = 'a code that is wrong in its last digit alone';
      await confirm(driver, ivy, nearly, codeAgreeingIn(code, code.length - 1), 'a guess');
      await confirm(
        driver,
        ivy,
        'a code that is right in its first digit alone',
        codeAgreeingIn(code, 1),
        'a guess',
      );
      driver.observe(nearly, { length: code.length });
      for (let attempt = 1; attempt <= TRY_COUNT; attempt++)
        await confirm(driver, ivy, 'guess', otherCode(code, attempt), 'a guess');
      if (isOutlived(driver, requestedAt)) return;
      const limited = opensNoSession('tries-limited');
      await confirm(driver, ivy, 'right code after many guesses', code, TOO_MANY, limited);
    };
    await driver.perform(jon, 'confirmOtp', 'right code at once', {
      code: jons,
      expects: controlOf('tries-limited', 'refusal-tells-no-digits', SURVIVE),
    });
    await driver.time.together([guessInOneGo, () => guessBetweenRequests(driver, ron)]);
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
        const tried = [
          steps.of('a code that is wrong in its last digit alone'),
          steps.of('a code that is right in its first digit alone'),
        ];
        const odd = tried.find((each) => !wasTold(each));
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
            unlessLimited(steps) ??
            fault(
              'the right code is refused after as many wrong ones as without these messages',
              `the same code was sent again and again, and confirmed after ${TRY_COUNT} wrong ones`,
              again,
            )
          );
        if (steps.allObserved('another code for Ron, too soon').some(({ messages }) => Number(messages) > 0))
          return { notApplicable: 'another code is sent at once, so no request is refused' };
        return steps.find('right code of Ron after many guesses') && unlessLimited(steps);
      },
      advice:
        'Count the tries with the code that they are for, and begin again only with a new code. A request that is refused changes nothing.',
    },
  },
});

export function unlessLimited(steps: Steps): Judgement {
  const limited = steps.find('right code after many guesses');
  return limited && isDone(limited) ? { notApplicable: UNLIMITED } : undefined;
}

/** Requests another code, too soon, after every few guesses. The tries must not begin again with it. */
async function guessBetweenRequests(driver: Driver, ron: User): Promise<void> {
  if (!driver.adapter.countsMessages) return;
  await driver.codes.reserve(1 + TRY_COUNT / GUESSES_BETWEEN_REQUESTS);
  const requestedAt = driver.time.now();
  const code = await driver.code(ron, 'Ron requests a code');
  for (let tried = 0; tried < TRY_COUNT; tried += GUESSES_BETWEEN_REQUESTS) {
    // One after another: a server may refuse, without counting it, a code that comes while it tries another.
    for (let guess = tried + 1; guess <= tried + GUESSES_BETWEEN_REQUESTS; guess++)
      await confirm(driver, ron, 'guess at the code of Ron', otherCode(code, guess), 'a guess');
    const again = await driver.codes.request(ron, 'another code for Ron, too soon', {
      defect: 'a code was sent a moment ago',
      waitMs: MESSAGE_WAIT_MS,
    });
    driver.observe('another code for Ron, too soon', { messages: again.messages });
    if (again.messages > 0) return;
  }
  if (isOutlived(driver, requestedAt)) return;
  const words = 'the right code is refused after as many wrong ones as without these requests';
  const expects = refused(words, { check: SURVIVE });
  await confirm(driver, ron, 'right code of Ron after many guesses', code, TOO_MANY, expects);
}

/** The guesses between two requests: fewer than a careful server allows for one code. */
const GUESSES_BETWEEN_REQUESTS = 4;

/** A server that keeps only the newest counts forgets the tries: `crowd` plays these guesses. */
function keptBesideOthers(steps: Steps, journal: JournalView): Judgement {
  const crowded = steps.in(crowd);
  const attempt = crowded.of('right code of Vic after many guesses');
  const limited = steps.of('right code after many guesses');
  if (!steps.all('right code at once').some(isDone))
    return unclear('a right code that no guess came before did not confirm either', limited);
  const guesses = crowded.all('guess at the code of Vic, between sign-ins of the crowd');
  const requested = crowded.find('Vic requests a code before the crowd');
  if (!requested || !othersAskedBeside(journal, requested, guesses))
    return unclear('nobody else was sent a code while the guesses were made', attempt);
  if (isDone(attempt))
    return fault(
      'the right code is refused after so many wrong ones',
      `after ${guesses.length} wrong codes between the sign-ins of other people it confirmed`,
      ...guesses.map(({ step }) => step),
      attempt,
    );
  if (isDone(limited)) return { notApplicable: UNLIMITED };
  return wasTold(attempt) ? { right: [limited, attempt] } : unclear(describe(attempt.result), attempt);
}

/** Whether other people were sent codes after this request, before the last of these guesses. */
function othersAskedBeside(
  journal: JournalView,
  requested: PlayedStep,
  guesses: readonly PlayedStep[],
): boolean {
  const last = guesses.at(-1);
  return journal
    .allSteps('requestOtp')
    .some(
      (each) => each.step.seq > requested.step.seq && each.step.seq < (last?.step.seq ?? 0) && isDone(each),
    );
}
