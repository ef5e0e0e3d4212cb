/** Sends values that are no code, codes that everybody tries first, and partly right ones. */
import type { FlowCheck } from '../../../../engine/check/flow.ts';
import type { Judgement, Steps } from '../../../../engine/check/steps.ts';
import { describe } from '../../../../engine/journal/played-steps.ts';
import type { InPlace } from '../../../../engine/party/requests/build-request.ts';
import type { Driver, User } from '../../people/driver.ts';
import { flow } from '../flow.ts';
import { isDone, unclear } from '../step-values.ts';

/** What is sent instead of the right code, made from it and from the server's time (ms). */
type MakeInstead = (code: string, now: number) => { code: string; codeInPlace?: InPlace };

const json =
  (codeInPlace: InPlace): MakeInstead =>
  () => ({ code: '', codeInPlace });

const text =
  (make: (code: string, now: number) => string): MakeInstead =>
  (code, now) => ({ code: make(code, now) });

// The tables name each value as the labels of its steps do.

/** Empty values. `{}` leaves the member out of the request. */
const EMPTY = { 'an empty text': json({ json: '' }), nothing: json({}), null: json({ json: null }) } as const;

/** Values that are no text; the condition is one that a document database accepts in queries. */
const NO_TEXT = {
  'an empty list': json({ json: [] }),
  'an empty object': json({ json: {} }),
  'a condition': json({ json: { $ne: '' } }),
  true: json({ json: true }),
  'the number 0': json({ json: 0 }),
} as const;

/** Codes that developers build in for tests and forget. */
const BUILT_IN = {
  'zeros alone': text(({ length }) => '0'.repeat(length)),
  'digits in order': text(({ length }) => '1234567890'.repeat(2).slice(0, length)),
  'the date of today': text(dateOf),
} as const;

const PARTLY_RIGHT = {
  'the right code with its first digit changed': text((code) => withOther(code, 0)),
  'the right code with its last digit changed': text((code) => withOther(code, code.length - 1)),
  'the digits of the right code in another order': text((code) => code.slice(1) + code.slice(0, 1)),
} as const;

/** The codes in one text: far too many for a typing error. */
const CODE_COUNT = 40;

const AROUND = {
  'the right code between two digits': text(
    (code) => `${otherDigit(code[0])}${code}${otherDigit(code.at(-1))}`,
  ),
  'many codes, the right one among them': text((code) =>
    Array.from({ length: CODE_COUNT }, (_, index) =>
      index === CODE_COUNT / 2 ? code : withOther(code, index),
    ).join(' '),
  ),
} as const;

const VALUES: Readonly<Record<string, MakeInstead>> = {
  ...EMPTY,
  ...NO_TEXT,
  ...BUILT_IN,
  ...PARTLY_RIGHT,
  ...AROUND,
};

/** Two values for one code, then the code itself: no server allows fewer than three tries. */
type Round = { values: readonly string[]; emptyAfterUse: string | undefined };

const emptyNames = Object.keys(EMPTY);
const names = Object.keys(VALUES);
const ROUNDS = Array.from({ length: names.length / 2 }, (_, index): Round => {
  return { values: names.slice(2 * index, 2 * index + 2), emptyAfterUse: emptyNames[index] };
});

const instead = (name: string) => `${name} in place of the code`;
const afterUse = (name: string) => `${name} after the code was used`;
const right = (round: Round | undefined) => `the right code after ${round?.values[0]}`;

/** The labels of the steps that send no text, or more than a code: these are no good requests. */
export const MALFORMED_CODES = [EMPTY, NO_TEXT, AROUND].flatMap((table) => Object.keys(table).map(instead));

/** `control` is the label of the step that shows that the server accepts the right code. */
type Try = { name: string; attempt: string; control: string };

const tryOf = (name: string): Try => ({
  name,
  attempt: instead(name),
  control: right(ROUNDS.find(({ values }) => values.includes(name))),
});

const tryAfterUse = (name: string): Try => ({
  name,
  attempt: afterUse(name),
  control: right(ROUNDS.find(({ emptyAfterUse }) => emptyAfterUse === name)),
});

const oddCheck = (title: string, { tries, advice }: { tries: Try[]; advice: string }): FlowCheck => ({
  title,
  requirements: ['1-phone-confirmed'],
  judge: (steps) => confirmedBy(steps, tries),
  advice,
});

/** Judges the values. A server that crashes on a value opens no session; another check judges the crash. */
function confirmedBy(steps: Steps, tries: readonly Try[]): Judgement {
  const tried = tries.flatMap((each) => steps.all(each.attempt).map((step) => ({ ...each, step })));
  if (tried.length === 0) steps.of(tries[0]?.attempt ?? '');
  const confirmed = tried.filter(({ step }) => isDone(step));
  if (confirmed.length > 0)
    return {
      expected: 'the sign-in is refused',
      actual: `a session was opened with ${[...new Set(confirmed.map(({ name }) => name))].join(', ')} in place of the code`,
      shownBy: confirmed.map(({ step }) => step),
    };
  for (const { name, control, step } of tried) {
    const good = steps.of(control);
    if (!isDone(good))
      return unclear(
        `"${control}", which ought to succeed, did not (${describe(good.result)}), so a refusal proves nothing`,
        step,
        good,
      );
    if (step.result.kind === 'failed' && step.result.what !== 'server-error')
      return unclear(`no refusal of ${name} but a failure (${describe(step.result)})`, step);
  }
  return undefined;
}

export const oddCodes = flow({
  id: 'odd-codes',
  title: 'Values that are no code, and codes that everybody tries first, replace the right one',
  needs: ['requestOtp', 'confirmOtp'],
  people: ROUNDS.length,
  waits: ({ resend }) => resend,
  async play(driver) {
    // With few phones a phone is used for several rounds, so its next code must wait for the pause.
    const few = driver.freePeople < ROUNDS.length;
    await driver.forEach(
      ROUNDS,
      ({ values }) => `user with ${values[0]}`,
      async (user, round) => {
        await playRound(driver, user, round);
        if (few) await driver.time.passResendPause();
      },
      ROUNDS.length,
    );
  },
  checks: {
    'empty-code-refused': oddCheck('An empty, missing or null code opens no session', {
      tries: Object.keys(EMPTY).map(tryOf),
      advice: 'Refuse a sign-in without a code before anything is compared; what is missing equals nothing.',
    }),
    'code-must-be-text': oddCheck('A code of another JSON type opens no session', {
      tries: Object.keys(NO_TEXT).map(tryOf),
      advice:
        'Refuse a code that is not a text before it is compared or put into a query: a list, an object or true must not reach either.',
    }),
    'no-built-in-code': oddCheck('Neither zeros, digits in order nor the date of today open a session', {
      tries: Object.keys(BUILT_IN).map(tryOf),
      advice:
        'Remove the code that is built in for tests. What is judged must know no code but the one it sent.',
    }),
    'whole-code-compared': oddCheck(
      'A code that differs in its first or last digit, or in the order of its digits, opens no session',
      {
        tries: Object.keys(PARTLY_RIGHT).map(tryOf),
        advice:
          'Compare the whole code as it was sent: each digit, or order, that does not count makes it easier to guess.',
      },
    ),
    'code-alone-accepted': oddCheck('A text that has the right code somewhere in it opens no session', {
      tries: Object.keys(AROUND).map(tryOf),
      advice:
        'Compare what was sent with the code from end to end; do not look for the code in it. One text can hold thousands of guesses.',
    }),
    'empty-code-after-use-refused': oddCheck(
      'An empty, missing or null code opens no session once the code was used',
      {
        tries: Object.keys(EMPTY).map(tryAfterUse),
        advice:
          'Delete a code when it is used; do not leave an empty one in its place, which an empty text equals.',
      },
    ),
  },
});

async function playRound(driver: Driver, user: User, round: Round): Promise<void> {
  const { values, emptyAfterUse } = round;
  const code = await driver.code(user, `a code is requested, to be tried with ${values[0]}`);
  const sentInstead = (name: string) => VALUES[name]?.(code, driver.time.now());
  for (const name of values) {
    const sent = sentInstead(name);
    // A value that happens to be the right code proves nothing.
    if (sent?.code === code) continue;
    const defect = `${name} is sent in place of the code`;
    await driver.perform(user, 'confirmOtp', instead(name), { defect, ...sent });
  }
  await driver.perform(user, 'confirmOtp', right(round), { code });
  if (emptyAfterUse === undefined) return;
  const defect = `the code was used, and ${emptyAfterUse} is sent in its place`;
  await driver.perform(user, 'confirmOtp', afterUse(emptyAfterUse), {
    defect,
    ...sentInstead(emptyAfterUse),
  });
}

/** Day, month and year as six digits. When codes have another length, the code itself: it is not tried. */
function dateOf(code: string, now: number): string {
  const [year = '', month = '', day = ''] = new Date(now).toISOString().slice(0, 10).split('-');
  return /^\d{6}$/.test(code) ? day + month + year.slice(2) : code;
}

const otherDigit = (digit: string | undefined) => (digit === '5' ? '6' : '5');

function withOther(code: string, index: number): string {
  const place = index % code.length;
  return code.slice(0, place) + otherDigit(code[place]) + code.slice(place + 1);
}
