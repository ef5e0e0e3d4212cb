/** Defects in one-time codes: shown, equal, predictable, short or meaningless ones. */
import { createHash } from 'node:crypto';
import type { Change, Mock } from '../change.ts';
import { foundBy } from '../defect.ts';
import { accepts, CONFIRM, codesSent, type MockTurn, REQUEST, tells, tellsInRefusal } from '../operators.ts';

const BOTH = ['challenge', 'carried-sign'] as const;

/** Adds to the answer to a code request what is made of the code. */
const tellsCode = (told: (code: string) => object) =>
  tells(REQUEST, ({ parts, params }) => told(codesSent(parts, params.phone)[0] ?? ''));

/** Draws the codes that are sent in another way; each stands for a code of the reference. */
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

/** Draws as a generator does that begins with a number nobody knows. */
const generated = (
  next: (state: number) => number,
  shown = (state: number) => state % 1_000_000,
  digits = 6,
) =>
  draws((_phone, count) => {
    let state = 90_210_417;
    for (let drawn = 0; drawn < count; drawn++) state = next(state);
    return String(shown(state)).padStart(digits, '0');
  });

/** Confirms any code of this form, once a code was requested. */
const acceptsOdd = (isOdd: (code: unknown) => boolean) =>
  accepts(({ code, sent }) => isOdd(code) && sent.length > 0);

const WEAK_GENERATOR = [
  'F3-Nation/f3-nation#366',
  'diia-open-source/be-user-service#63',
  'abanobmikaeel/coptic.io#83',
];
const EMPTY_CODE = ['mosip/esignet#2505', 'heapsource/active_model_otp#96'];
const QUERY_OPERATOR = ['KathiraveluLab/Beehive#484'];

const dateOf = ({ clock }: Mock) =>
  new Date(clock.now()).toISOString().slice(2, 10).split('-').reverse().join('');

export const codeValueDefects = foundBy({
  'code-not-shown/code-in-reply': {
    title: 'The answer to the request of a code carries the code',
    change: tellsCode((code) => ({ debug: { code } })),
    on: BOTH,
    seenIn: ['glific/glific#236', 'rafa77-tech/whats-agents#144'],
  },
  'code-not-shown/code-in-reference': {
    title: 'The answer carries a reference that is phone and code in base64url',
    change: tellsCode((code) => ({ reference: Buffer.from(`ref=1;${code}`).toString('base64url') })),
  },
  'code-not-shown/code-in-address': {
    title: 'The answer carries an address of the sign-in page with the code',
    change: tellsCode((code) => ({ next: `https://auth.example/sign-in?code=${code}` })),
  },
  'code-not-shown/code-hash-in-reference': {
    title: 'The answer carries a reference that is the SHA-256 of the code',
    change: tellsCode((code) => ({ reference: createHash('sha256').update(code).digest('base64url') })),
  },
  'code-not-shown/refusal-names-the-code': {
    title: 'The refusal of a wrong code names the right one',
    change: tellsInRefusal(CONFIRM, ({ parts, params }) => ({ expected: codesSent(parts, params.phone)[0] })),
    on: ['challenge-code-in-refusal', 'carried-sign-code-in-error'],
  },
  'code-not-shown/code-in-header': {
    title: 'A header of the answer to the request of a code carries the code',
    on: ['challenge'],
  },
  'code-not-shown/code-in-challenge': {
    title: 'The challenge is phone and code in base64url',
    on: ['challenge'],
  },
  'code-not-shown/code-hash-in-challenge': {
    title: 'The challenge begins with the MD5 of the code',
    on: ['challenge'],
  },
  'codes-differ/same-code-for-all': {
    title: 'Everybody is sent the same code',
    change: draws(() => '424242'),
    on: ['challenge-code-same-for-all'],
  },
  'codes-differ/few-codes': {
    title: 'Codes are drawn from a list of five',
    change: draws((_phone, count) => String(100_000 + (((count - 1) * 3) % 5) * 211_111)),
  },
  'codes-unpredictable/codes-counting': {
    title: 'Each code is the one before plus one',
    change: draws((_phone, count) => String(481_200 + count)),
    on: BOTH,
    seenIn: WEAK_GENERATOR,
  },
  'codes-unpredictable/codes-in-steps': {
    title: 'Each code lies equally far from the one before',
    change: draws((_phone, count) => String((count * 613_717) % 1_000_000).padStart(6, '0')),
  },
  'codes-unpredictable/code-from-phone': {
    title: 'A code is the end of the phone',
    change: draws((phone) => phone.slice(-6)),
    on: ['carried-sign'],
  },
  'codes-unpredictable/codes-from-clock': { title: 'A code is the second in which it was sent', on: BOTH },
  'codes-unpredictable/codes-of-c-library': {
    title: 'Codes are the last digits of what rand of the C library returns',
    change: generated((state) => ((Math.imul(state, 1_103_515_245) + 12_345) >>> 0) % 2 ** 31),
    on: ['challenge'],
  },
  'codes-unpredictable/codes-of-minstd': {
    title: 'Codes are the share of what minstd_rand returns',
    change: generated(
      (state) => (state * 48_271) % (2 ** 31 - 1),
      (state) => Math.floor((state * 1_000_000) / (2 ** 31 - 1)),
    ),
  },
  'codes-unpredictable/codes-multiplied': {
    title: 'A code is the one before times a number, plus another',
    change: generated((state) => ((state % 1_000_000) * 391 + 4_711) % 1_000_000),
  },
  'code-length/short-codes': {
    title: 'Codes have three digits',
    change: generated(
      (state) => (state * 387) % 997,
      (state) => state,
      3,
    ),
  },
  'empty-code-refused/empty-code': {
    title: 'An empty code is accepted',
    change: acceptsOdd((code) => code === ''),
    seenIn: EMPTY_CODE,
    on: ['challenge-empty-code-accepted', 'carried-sign-empty-code-accepted'],
  },
  'empty-code-refused/no-code': {
    title: 'A missing code is accepted',
    change: acceptsOdd((code) => code === undefined),
  },
  'empty-code-refused/null-code': {
    title: 'A code of null is accepted',
    change: acceptsOdd((code) => code === null),
  },
  'empty-code-refused/null-code-accepted': {
    title: 'A code of null, or none, confirms',
    on: ['carried-sign'],
    seenIn: EMPTY_CODE,
  },
  'code-must-be-text/list-as-code': {
    title: 'A list in place of the code is accepted',
    change: acceptsOdd(Array.isArray),
  },
  'code-must-be-text/condition-as-code': {
    title: 'An object in place of the code becomes a condition that every code meets',
    change: acceptsOdd((code) => typeof code === 'object' && code !== null && '$ne' in code),
    seenIn: QUERY_OPERATOR,
  },
  'code-must-be-text/true-as-code': {
    title: 'The value true is accepted in place of the code',
    change: acceptsOdd((code) => code === true),
  },
  'code-must-be-text/array-code-accepted': {
    title: 'A list in place of the code confirms',
    on: ['challenge'],
    seenIn: QUERY_OPERATOR,
  },
  'no-built-in-code/built-in-code': {
    title: 'The code 123456 is accepted from everybody who requested one',
    change: acceptsOdd((code) => code === '123456'),
  },
  'no-built-in-code/master-code': { title: 'A built-in code confirms everybody', on: BOTH },
  'no-built-in-code/date-as-code': {
    title: 'Day, month and year confirm every phone',
    change: accepts(({ code, turn }) => code === dateOf(turn.parts)),
    on: ['challenge'],
  },
  'no-trace-told/trace-in-error': {
    title: 'A code that is no text is answered with a stack trace',
    change: tellsInRefusal(
      (turn) => isConfirmation(turn) && typeof turn.params.code !== 'string',
      () => ({ stack: new TypeError('code.trim is not a function').stack }),
    ),
  },
  'no-trace-told/trace-told': {
    title: 'A body that is not JSON is answered with HTTP 500 and a stack trace',
    on: ['challenge'],
  },
});

const isConfirmation = ({ call }: MockTurn) => call.method === CONFIRM;
