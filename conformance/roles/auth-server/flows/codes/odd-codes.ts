/** Sends empty, malformed and partly right codes, and writes one phone in several ways. */
import type { FlowCheck } from '../../../../engine/check/flow.ts';
import type { Judgement, Steps } from '../../../../engine/check/steps.ts';
import { describe } from '../../../../engine/journal/played-steps.ts';
import type { InPlace } from '../../../../engine/party/requests/build-request.ts';
import type { Driver, User } from '../../people/driver.ts';
import { flow } from '../flow.ts';
import { fault, isDone, unclear, wasTold } from '../step-values.ts';
import { guessedCodes, unlessLimited } from './guessed-codes.ts';
import { confirm, isOutlived, OUTLIVED, otherCode, TOO_MANY, TRY_COUNT } from './guesses.ts';

/** Empty values by their name in labels. `{}` leaves the member out of the request. */
const EMPTY = {
  'an empty text': { json: '' },
  nothing: {},
  null: { json: null },
} as const satisfies Readonly<Record<string, InPlace>>;

/** Values that are no text; the condition is one that a document database accepts in queries. */
const NO_TEXT = {
  'an empty list': { json: [] },
  'an empty object': { json: {} },
  'a condition': { json: { $ne: '' } },
  true: { json: true },
  'the number 0': { json: 0 },
} as const satisfies Readonly<Record<string, InPlace>>;

/** Codes that developers build in for tests and forget. Each is made from the right code. */
const BUILT_IN = {
  'zeros alone': ({ length }: string) => '0'.repeat(length),
  'digits in order': ({ length }: string) => '1234567890'.repeat(2).slice(0, length),
  'the date of today': (code: string, now: number) => dateOf(code, now),
} as const;

const PARTLY_RIGHT = {
  'the right code with its first digit changed': (code: string) => withOther(code, 0),
  'the right code with its last digit changed': (code: string) => withOther(code, code.length - 1),
  'the digits of the right code in another order': (code: string) => code.slice(1) + code.slice(0, 1),
} as const;

const AROUND = {
  'the right code between two digits': (code: string) =>
    `${otherDigit(code[0])}${code}${otherDigit(code.at(-1))}`,
  'many codes, the right one among them': (code: string) =>
    Array.from({ length: CODE_COUNT }, (_, index) =>
      index === CODE_COUNT / 2 ? code : withOther(code, index),
    ).join(' '),
} as const;

/** The codes in one text: far too many for a typing error. */
const CODE_COUNT = 40;

// Names of values: the flow of malformed requests reads the steps of this flow that send these values.
export const emptyNames = Object.keys(EMPTY);
export const noTextNames = Object.keys(NO_TEXT);
export const aroundNames = Object.keys(AROUND);

const withoutText: Readonly<Record<string, InPlace>> = { ...EMPTY, ...NO_TEXT };
const made: Readonly<Record<string, (code: string, now: number) => string>> = {
  ...BUILT_IN,
  ...PARTLY_RIGHT,
  ...AROUND,
};

/** Two values for one code, and then the code itself: no server allows fewer than three tries. */
const pairs = pairsOf([...Object.keys(withoutText), ...Object.keys(made)]);

const instead = (name: string) => `${name} in place of the code`;
const afterUse = (name: string) => `${name} after the code was used`;
const right = (name: string) => `the right code after ${name}`;

/** The step that shows that the server accepts the right code after this value: the positive control. */
const rightAfter = (name: string) => right(pairs.find((pair) => pair.includes(name))?.[0] ?? name);

const rightBefore = (name: string) => right(pairs[emptyNames.indexOf(name)]?.[0] ?? name);

type Tries = {
  names: readonly string[];
  attempt?: (name: string) => string;
  control?: (name: string) => string;
};

function oddCheck({
  names,
  attempt = instead,
  control = rightAfter,
  ...about
}: Tries & { title: string; advice: string }): FlowCheck {
  return {
    ...about,
    requirements: ['1-phone-confirmed'],
    judge: (steps) => confirmedBy(steps, { names, attempt, control }),
  };
}

/** Judges the values. A server that crashes on a value opens no session; another check judges the crash. */
function confirmedBy(steps: Steps, { names, attempt, control }: Required<Tries>): Judgement {
  const tried = names.flatMap((name) => steps.all(attempt(name)).map((step) => ({ name, step })));
  if (tried.length === 0) steps.of(attempt(names[0] as string));
  const confirmed = tried.filter(({ step }) => isDone(step));
  if (confirmed.length > 0)
    return fault(
      'the sign-in is refused',
      `a session was opened with ${[...new Set(confirmed.map(({ name }) => name))].join(', ')} in place of the code`,
      ...confirmed.map(({ step }) => step),
    );
  for (const { name, step } of tried) {
    const good = steps.of(control(name));
    if (!isDone(good))
      return unclear(
        `"${control(name)}", which ought to succeed, did not (${describe(good.result)}), so a refusal proves nothing`,
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
  title: 'What is no code, and codes that everybody tries first, are sent in place of the right one',
  needs: ['requestOtp', 'confirmOtp'],
  people: pairs.length,
  waits: ({ resend }) => resend,
  async play(driver) {
    // With few phones a phone is used for several pairs, so its next code must wait for the pause.
    const few = driver.freePeople < pairs.length;
    await driver.forEach(
      pairs,
      ([first]) => `user with ${first}`,
      async (user, pair) => {
        await tryBoth(driver, user, pair);
        if (few) await driver.time.passResendPause();
      },
      pairs.length,
    );
  },
  checks: {
    'empty-code-refused': oddCheck({
      title: 'An empty, missing or null code opens no session',
      names: emptyNames,
      advice: 'Refuse a sign-in without a code before anything is compared; what is missing equals nothing.',
    }),
    'code-must-be-text': oddCheck({
      title: 'A code of another JSON type opens no session',
      names: noTextNames,
      advice:
        'Refuse a code that is not a text before it is compared or put into a query: a list, an object or true must not reach either.',
    }),
    'no-built-in-code': oddCheck({
      title: 'Neither zeros, digits in order nor the date of today open a session',
      names: Object.keys(BUILT_IN),
      advice:
        'Remove the code that is built in for tests. What is judged must know no code but the one it sent.',
    }),
    'whole-code-compared': oddCheck({
      title:
        'A code that differs in its first or last digit, or in the order of its digits, opens no session',
      names: Object.keys(PARTLY_RIGHT),
      advice:
        'Compare the whole code as it was sent: each digit, or order, that does not count makes it easier to guess.',
    }),
    'code-alone-accepted': oddCheck({
      title: 'A text that has the right code somewhere in it opens no session',
      names: aroundNames,
      advice:
        'Compare what was sent with the code from end to end; do not look for the code in it. One text can hold thousands of guesses.',
    }),
    'empty-code-after-use-refused': oddCheck({
      title: 'An empty, missing or null code opens no session once the code was used',
      names: emptyNames,
      attempt: afterUse,
      control: rightBefore,
      advice:
        'Delete a code when it is used; do not leave an empty one in its place, which an empty text equals.',
    }),
  },
});

async function tryBoth(driver: Driver, user: User, pair: readonly [string, string]): Promise<void> {
  const code = await driver.code(user, `a code is requested, to be tried with ${pair[0]}`);
  for (const name of pair) {
    const other = made[name]?.(code, driver.time.now());
    // A value that happens to be the right code proves nothing.
    if (other === code) continue;
    const input =
      other === undefined ? { code: '', codeInPlace: withoutText[name] as InPlace } : { code: other };
    await driver.perform(user, 'confirmOtp', instead(name), {
      defect: `${name} is sent in place of the code`,
      ...input,
    });
  }
  await driver.perform(user, 'confirmOtp', right(pair[0]), { code });
  const empty = emptyNames[pairs.findIndex(([first]) => first === pair[0])];
  if (empty === undefined) return;
  await driver.perform(user, 'confirmOtp', afterUse(empty), {
    defect: `the code was used, and ${empty} is sent in its place`,
    code: '',
    codeInPlace: withoutText[empty] as InPlace,
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

function pairsOf(names: readonly string[]): [string, string][] {
  const pairs: [string, string][] = [];
  for (let at = 0; at < names.length; at += 2) pairs.push([names[at] as string, names[at + 1] as string]);
  return pairs;
}

type Spelling = 'with a plus and blanks' | 'with a leading 8';

export const spellings = flow({
  id: 'spellings',
  title: 'One phone is written in several ways',
  needs: ['requestOtp', 'confirmOtp'],
  waits: ({ resend }) => 2 * resend,
  async play(driver) {
    const lia = await driver.user('Lia');
    await driver.signIn(lia, 'sign in as usual');
    for (const name of ['with a plus and blanks', 'with a leading 8'] as const) {
      const phone = SPELLINGS[name](lia.phone);
      if (phone === undefined || !(await driver.time.passResendPause())) continue;
      const device: User = driver.otherDevice(lia, `Lia, ${name}`);
      const since = await driver.messagesTo(lia);
      await driver.codes.take(1);
      const label = `request a code for the phone written ${name}` as const;
      const asked = await driver.perform(device, 'requestOtp', label, { phone });
      // A server may refuse the other spelling, or send the code to what it takes for another phone.
      const code =
        asked.kind === 'done' ? (await driver.codes.newest(lia, since, CODE_WAIT_MS))?.code : undefined;
      if (code !== undefined)
        await driver.perform(device, 'confirmOtp', `sign in with the phone written ${name}`, {
          ...{ phone, code },
          // In most countries a leading 8 is the phone of another person.
          ...(name === 'with a leading 8' && { defect: 'the phone has another spelling in some countries' }),
        });
    }
  },
  checks: {},
});

/** Limits the wait (ms) for a code. A code that has not come by then was sent to another phone. */
const CODE_WAIT_MS = 2_000;

/** Writes a phone in another way; undefined where it cannot be. The leading 8 is Russian. */
const SPELLINGS: Readonly<Record<Spelling, (phone: string) => string | undefined>> = {
  'with a plus and blanks': (phone) => {
    const digits = phone.replace(/\D/g, '');
    const written = `+${digits.slice(0, -10)} (${digits.slice(-10, -7)}) ${digits.slice(-7, -4)}-${digits.slice(-4)}`;
    return digits.length > 10 && written !== phone ? written : undefined;
  },
  'with a leading 8': (phone) => (/^7\d{10}$/.test(phone) ? `8${phone.slice(1)}` : undefined),
};

const GUESS = 'guess for the phone in another spelling';
const AFTERWARDS = 'right code after many guesses in another spelling';

export const guessesInSpelling = flow({
  id: 'guesses-in-spelling',
  title: 'Many wrong codes are tried for a phone in another spelling, and then the right one',
  needs: ['requestOtp', 'confirmOtp'],
  async play(driver) {
    const pia = await driver.user('Pia');
    const phone = SPELLINGS['with a plus and blanks'](pia.phone);
    if (phone === undefined) return;
    const requestedAt = driver.time.now();
    const code = await driver.code(pia, 'a code for Pia');
    for (let attempt = 1; attempt <= TRY_COUNT; attempt++) {
      const guess = otherCode(code, attempt);
      // A guess is sent with what the request for the code yielded, such as a challenge.
      driver.steps.cameFromLastRequest(pia, guess);
      const stranger = driver.otherDevice(pia, 'a stranger who writes otherwise');
      await driver.perform(stranger, 'confirmOtp', GUESS, { defect: 'a guess', code: guess, phone });
    }
    if (!isOutlived(driver, requestedAt)) await confirm(driver, pia, AFTERWARDS, code, TOO_MANY);
  },
  checks: {
    'tries-limited-in-every-spelling': {
      title: 'Wrong codes are counted however the phone is written',
      requirements: ['K-code-tries-limited'],
      also: [guessedCodes, spellings],
      leftOut: OUTLIVED,
      judge: confirmedAfterwards,
      advice: 'Bring a phone to one form before anything is looked up or counted by it.',
    },
  },
});

function confirmedAfterwards(steps: Steps): Judgement {
  const attempt = steps.of(AFTERWARDS);
  const written = steps.in(spellings).find('sign in with the phone written with a plus and blanks');
  if (!written || !isDone(written)) return { notApplicable: 'the server does not take the other spelling' };
  const guessed = steps.in(guessedCodes);
  const unlimited = unlessLimited(guessed);
  if (unlimited) return unlimited;
  if (isDone(attempt))
    return fault(
      'the right code is refused after as many wrong ones as in the usual spelling',
      `after ${TRY_COUNT} wrong codes for the phone in another spelling it confirmed`,
      ...steps.all(GUESS).slice(0, 1),
      attempt,
    );
  if (!guessed.all('right code at once').some(isDone))
    return unclear('a right code that no guess came before did not confirm either', attempt);
  return wasTold(attempt) ? { right: [attempt] } : unclear(describe(attempt.result), attempt);
}
