/** Values that are no code: none, another JSON type, codes that attackers try first. */
import type { InPlace } from '../../../../engine/party/requests/build-request.ts';
import { scenario } from '../scenario.ts';

/** Empty values. */
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

/** Codes built in for tests and forgotten. */
const BUILT_IN = {
  'zeros alone': ({ length }: string) => '0'.repeat(length),
  'digits in order': ({ length }: string) => '1234567890'.repeat(2).slice(0, length),
  'the date of today': (code: string, now: number) => dateOf(code, now),
} as const;

/** Codes of which only a part is right. */
const PARTLY_RIGHT = {
  'the right code with its first digit changed': (code: string) => withOther(code, 0),
  'the right code with its last digit changed': (code: string) => withOther(code, code.length - 1),
  'the digits of the right code in another order': (code: string) => code.slice(1) + code.slice(0, 1),
} as const;

/** Texts that contain the right code. */
const AROUND = {
  'the right code between two digits': (code: string) => `${otherDigit(code[0])}${code}${otherDigit(code.at(-1))}`,
  'many codes, the right one among them': (code: string) =>
    Array.from({ length: CODE_COUNT }, (_, index) => (index === CODE_COUNT / 2 ? code : withOther(code, index))).join(
      ' ',
    ),
} as const;

/** Too many codes for a typing error. */
const CODE_COUNT = 40;

export const emptyNames = Object.keys(EMPTY);
export const noTextNames = Object.keys(NO_TEXT);
export const builtInNames = Object.keys(BUILT_IN);
export const partlyRightNames = Object.keys(PARTLY_RIGHT);
export const aroundNames = Object.keys(AROUND);

const odd: Readonly<Record<string, InPlace>> = { ...EMPTY, ...NO_TEXT };
const made: Readonly<Record<string, (code: string, now: number) => string>> = {
  ...BUILT_IN,
  ...PARTLY_RIGHT,
  ...AROUND,
};

/** Two wrong values per code, then the right one: no server limits a user to fewer than three tries. */
const pairs = pairsOf([...Object.keys(odd), ...Object.keys(made)]);

export const oddCodes = scenario({
  id: 'odd-codes',
  title: 'What is no code, and codes that everybody tries first, are sent in place of the right one',
  needs: ['requestOtp', 'confirmOtp'],
  people: pairs.length,
  waits: ({ resend }) => resend,
  steps: {
    requested: (name: string) => `a code is requested, to be tried with ${name}`,
    instead: (name: string) => `${name} in place of the code`,
    right: (name: string) => `the right code after ${name}`,
    afterUse: (name: string) => `${name} after the code was used`,
  },
  async run(driver, steps) {
    const few = driver.freePeople < pairs.length;
    await driver.forEach(
      pairs,
      ([first]) => `user with ${first}`,
      async (user, pair) => {
        const code = await driver.code(user, steps.requested(pair[0]));
        for (const name of pair) {
          const other = made[name]?.(code, driver.now());
          if (other === code) continue;
          const input = other === undefined ? { code: '', codeInPlace: odd[name] as InPlace } : { code: other };
          await driver.perform(user, 'confirmOtp', steps.instead(name), {
            defect: `${name} is sent in place of the code`,
            input,
          });
        }
        await driver.perform(user, 'confirmOtp', steps.right(pair[0]), { input: { code } });
        const empty = emptyNames[pairs.indexOf(pair)];
        if (empty !== undefined)
          await driver.perform(user, 'confirmOtp', steps.afterUse(empty), {
            defect: `the code was used, and ${empty} is sent in its place`,
            input: { code: '', codeInPlace: odd[empty] as InPlace },
          });
        if (few) await driver.passResendPause();
      },
      pairs.length,
    );
  },
});

/** The control of a name: the right code afterwards. */
export function rightAfter(name: string) {
  return oddCodes.steps.right(pairs.find((pair) => pair.includes(name))?.[0] ?? name);
}

/** The control of a name that is tried after the code was used: the right code before. */
export function rightBefore(name: string) {
  return oddCodes.steps.right(pairs[emptyNames.indexOf(name)]?.[0] ?? name);
}

/** Day, month and year in six digits; the code itself, which is not tried, where codes have other lengths. */
function dateOf(code: string, now: number): string {
  const [year = '', month = '', day = ''] = new Date(now).toISOString().slice(0, 10).split('-');
  return /^\d{6}$/.test(code) ? day + month + year.slice(2) : code;
}

const otherDigit = (digit: string | undefined) => (digit === '5' ? '6' : '5');

/** The code with another character at this position, modulo its length. */
function withOther(code: string, index: number): string {
  const place = index % code.length;
  return code.slice(0, place) + otherDigit(code[place]) + code.slice(place + 1);
}

function pairsOf(names: readonly string[]): [string, string][] {
  const pairs: [string, string][] = [];
  for (let at = 0; at < names.length; at += 2) pairs.push([names[at] as string, names[at + 1] as string]);
  return pairs;
}
