/** Defects in the values of codes, and in values that are no code and are accepted. */
import { createHash } from 'node:crypto';
import type { Change, Mock } from '../change.ts';
import { foundBy } from '../defect.ts';
import {
  accepts,
  before,
  CONFIRM,
  codesSent,
  type MockTurn,
  messagesIn,
  REQUEST,
  tells,
  tellsInRefusal,
  withParams,
  wraps,
} from '../operators.ts';

/** Adds to the answer to a code request what `told` makes of the code that was sent. */
const tellsCode = (told: (code: string) => object) =>
  tells(REQUEST, ({ parts, params }) => told(codesSent(parts, params.phone)[0] ?? ''));

/** Sends the codes of `next`. Each stands for a code of the right mock, so that all else stays right. */
const draws = (next: (phone: string, count: number) => string): Change => ({
  parts({ codes, ledger }) {
    const { issue, claim } = codes;
    const sent = ledger.notes<{ shown: string; real: string }>('sent');
    codes.issue = (attribute) => {
      const real = issue(attribute);
      const shown = next(attribute.value, ledger.count('codes'));
      sent.set(attribute.value, { shown, real });
      return shown;
    };
    codes.claim = (attribute, code) => {
      const own = sent.get(attribute.value);
      return claim(attribute, own?.shown === code ? own.real : 'none');
    };
  },
});

/** Sends the codes of a weak generator, which begins with a number that nobody knows. */
const generated = (
  next: (state: number) => number,
  shown = (state: number) => state % 1_000_000,
  digits = 6,
) =>
  draws((_phone, count) => {
    // Any number would do, as long as it is the same in each run.
    let state = 90_210_417;
    for (let drawn = 0; drawn < count; drawn++) state = next(state);
    return String(shown(state)).padStart(digits, '0');
  });

const printed = (shown: (code: string) => string) =>
  wraps(messagesIn, 'add', (add, _mock, to, text, code, at) => add(to, text, shown(code), at));

/** Accepts any value for which `isOdd` is true as a code, once a code was requested. */
const acceptsOdd = (isOdd: (code: unknown) => boolean) =>
  accepts(({ code, sent }) => isOdd(code) && sent.length > 0);

/** Today as six digits: day, month, year. */
const dateOf = ({ clock }: Mock) =>
  new Date(clock.now()).toISOString().slice(2, 10).split('-').reverse().join('');

export const codeValueDefects = foundBy({
  'code-not-shown': [
    'code-in-reply: The answer to the request of a code carries the code',
    tellsCode((code) => ({ debug: { code } })),
    'code-hash-in-reference: The answer carries a reference that is the SHA-256 of the code',
    tellsCode((code) => ({ reference: createHash('sha256').update(code).digest('base64url') })),
    'refusal-names-the-code: The refusal of a wrong code names the right one',
    tellsInRefusal(CONFIRM, ({ parts, params }) => ({ expected: codesSent(parts, params.phone)[0] })),
  ],
  'code-with-zero-confirms': [
    'code-printed-as-number: The message shows the code as a number, without the zeros at its beginning',
    printed((code) => String(Number(code))),
    'code-kept-as-number: The code is kept as a number and compared as a text, so that its zeros are missing',
    before(CONFIRM, ({ call, params: { code } }) =>
      typeof code === 'string' && code.startsWith('0') ? withParams(call, { code: 'none' }) : undefined,
    ),
  ],
  'codes-differ': [
    'same-code-for-all: Everybody is sent the same code',
    draws(() => '424242'),
    'few-codes: Codes are drawn from a list of five',
    draws((_phone, count) => String(100_000 + (((count - 1) * 3) % 5) * 211_111)),
  ],
  'codes-unpredictable': [
    'codes-counting: Each code is the one before plus one',
    draws((_phone, count) => String(481_200 + count)),
    'code-from-phone: A code is the end of the phone',
    draws((phone) => phone.slice(-6)),
    'codes-of-c-library: Codes are the last digits of what rand of the C library returns',
    generated((state) => ((Math.imul(state, 1_103_515_245) + 12_345) >>> 0) % 2 ** 31),
  ],
  'code-length': [
    'short-codes: Codes have three digits',
    generated(
      (state) => (state * 387) % 997,
      (state) => state,
      3,
    ),
  ],
  'empty-code-refused': [
    'empty-code: An empty code is accepted',
    acceptsOdd((code) => code === ''),
    'null-code: A code of null is accepted',
    acceptsOdd((code) => code === null),
  ],
  'code-must-be-text': [
    'list-as-code: A list in place of the code is accepted',
    acceptsOdd(Array.isArray),
    'condition-as-code: An object in place of the code becomes a condition that every code meets',
    acceptsOdd((code) => typeof code === 'object' && code !== null && '$ne' in code),
  ],
  'no-built-in-code': [
    'built-in-code: The code 123456 is accepted from everybody who requested one',
    acceptsOdd((code) => code === '123456'),
    'date-as-code: Day, month and year confirm every phone',
    accepts(({ code, turn }) => code === dateOf(turn.parts)),
  ],
  'no-trace-told': [
    'trace-in-error: A code that is no text is answered with a stack trace',
    tellsInRefusal(
      (turn) => isConfirmation(turn) && typeof turn.params.code !== 'string',
      () => ({ stack: new TypeError('code.trim is not a function').stack }),
    ),
  ],
});

const isConfirmation = ({ call }: MockTurn) => call.method === CONFIRM;
