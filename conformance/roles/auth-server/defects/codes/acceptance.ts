/** Defects in which codes confirm which phones, and for how long. */
import { CODE_LIFETIME_MS } from '#protocol/limits.ts';
import { foundBy } from '../defect.ts';
import {
  accepts,
  addedSession,
  CONFIRM,
  codeRowsIn,
  codesIn,
  codesSent,
  later,
  phoneOf,
  SLOW_PART_MS,
  tellsInRefusal,
  userOf,
  wraps,
} from '../operators.ts';

const BOTH = ['challenge', 'carried-sign'] as const;

const sorted = (text: string) => [...text].sort().join('');

/** Adds to the refusal of a code how it compares with the right one, digit by digit. */
const tellsDigits = (told: (same: readonly boolean[]) => object) =>
  tellsInRefusal(CONFIRM, ({ parts, params }) => {
    const [right] = codesSent(parts, params.phone);
    return right === undefined
      ? undefined
      : told([...right].map((digit, place) => String(params.code)[place] === digit));
  });

const count = (same: readonly boolean[], value: boolean) => same.filter((each) => each === value).length;

export const acceptanceDefects = foundBy({
  'wrong-code-refused/any-code': {
    title: 'Any code is accepted',
    change: accepts(({ sent }) => sent.length > 0),
    on: ['challenge-no-confirmation'],
  },
  'wrong-code-refused/session-in-refusal': {
    title: 'The refusal of a wrong code carries a session of the user of that phone',
    change: tellsInRefusal(CONFIRM, (turn) => {
      const user = userOf(turn);
      return user === undefined ? undefined : { authInfo: addedSession(turn.parts, user) };
    }),
    on: BOTH,
  },
  'phone-confirmed/phone-alone': {
    title: 'A phone alone opens a session, whatever the code',
    change: accepts(() => true),
    on: ['carried-sign-no-confirmation'],
  },
  'used-code-refused/code-accepted-twice': {
    title: 'A used code is accepted again',
    change: accepts(({ code, sent }) => sent[0] === code),
    on: ['challenge-code-works-twice', 'carried-sign-code-works-twice'],
  },
  'foreign-code-refused/code-not-bound-to-phone': {
    title: 'A code is accepted for any phone',
    change: accepts(({ text, turn }) => codesSent(turn.parts).includes(text)),
    on: ['carried-sign-code-of-any-phone'],
  },
  'no-session-without-code/master-code': {
    title: 'The code 000000 is accepted for every phone',
    change: accepts(({ code }) => code === '000000'),
  },
  'superseded-code-refused/old-codes-live-on': {
    title: 'A code sent before the newest one is still accepted',
    change: accepts(({ text, sent }) => sent.slice(1).includes(text)),
    on: ['challenge-old-challenge-lives', 'carried-sign-older-code-accepted'],
  },
  'expired-code-refused/codes-never-expire': {
    title: 'Codes never expire',
    change: wraps(codesIn, 'claim', (claim, { store, clock }, attribute, code) => {
      const sent = store.codes.find(attribute);
      if (sent) store.codes.put(attribute, sent, clock.now(), clock.now() + 60_000);
      return claim(attribute, code);
    }),
    on: BOTH,
    seenIn: ['wso2/product-is#19701', 'wrappid/auth-module#147'],
  },
  'expired-code-refused/tries-prolong-code': {
    title: 'Each try prolongs the life of a code',
    change: wraps(codeRowsIn, 'find', (find, { clock, ledger }, attribute) => {
      const sent = find(attribute);
      if (!sent) return undefined;
      const ends = ledger.notes<number>('ends of codes');
      const expiresAt = ends.get(sent.seq) ?? sent.expiresAt;
      if (clock.now() < expiresAt) ends.set(sent.seq, clock.now() + CODE_LIFETIME_MS);
      return { ...sent, expiresAt };
    }),
    on: ['challenge'],
  },
  'code-confirms-own-phone/code-for-known-phones': {
    title: 'A code that was sent to anybody confirms the phone of a known user',
    change: accepts(({ text, turn }) => userOf(turn) !== undefined && codesSent(turn.parts).includes(text)),
  },
  'code-confirms-own-phone/phone-of-confirmation-wins': {
    title: 'The session is for the phone that the confirmation names',
    on: ['challenge'],
  },
  'whole-code-compared/last-four-compared': {
    title: 'The last four digits of a code are compared',
    change: accepts(
      ({ text, sent: [right = 'none'] }) => text.length === 6 && text.slice(-4) === right.slice(-4),
    ),
    on: ['carried-sign'],
  },
  'whole-code-compared/beginning-compared': {
    title: 'All digits but the last are compared',
    change: accepts(
      ({ text, sent: [right = 'none'] }) => text.length === 6 && text.slice(0, 5) === right.slice(0, 5),
    ),
  },
  'whole-code-compared/digits-in-any-order': {
    title: 'The digits of a code are compared without their order',
    change: accepts(({ text, sent: [right = '-'] }) => sorted(text) === sorted(right)),
    on: ['challenge'],
  },
  'code-alone-accepted/code-sought-in-text': {
    title: 'A text that has the code in it confirms',
    change: accepts(({ text, sent: [right = 'none'] }) => text.includes(right)),
    on: ['challenge'],
  },
  'empty-code-after-use-refused/used-code-emptied': {
    title: 'After a code was used an empty one confirms',
    change: accepts(
      ({ code, sent, turn }) =>
        code === '' && sent.length > 0 && turn.parts.store.codes.find(phoneOf(turn)) === undefined,
    ),
    on: ['challenge'],
  },
  'wrong-code-with-sign-refused/sign-skips-code': {
    title: 'A sign-in with a signature needs no right code',
    change: accepts(({ sent, turn }) => typeof turn.params.ehr_user_sign === 'string' && sent.length > 0),
    on: ['carried-sign'],
  },
  'refusal-tells-no-digits/right-digits-counted': {
    title: 'The refusal of a wrong code counts its right digits',
    change: tellsDigits((same) => ({ right: count(same, true) })),
  },
  'refusal-tells-no-digits/wrong-digits-counted': {
    title: 'The refusal of a wrong code counts its wrong digits in words',
    change: tellsDigits((same) => ({ hint: `${count(same, false)} digits are wrong` })),
  },
  'refusal-tells-no-digits/right-digits-marked': {
    title: 'The refusal of a wrong code marks each right digit',
    change: tellsDigits((same) => ({ same })),
  },
  'code-works-once-at-once/code-used-up-last': {
    title: 'A code is used up after the slow part, so equal confirmations all succeed',
    change: wraps(codesIn, 'claim', (claim, mock, attribute, code) => {
      const claimed = claim(attribute, code);
      claimed.release();
      return { consume: () => later(mock, SLOW_PART_MS, () => claimed.consume()), release: () => undefined };
    }),
    seenIn: ['better-auth/better-auth#8067', 'AnirudhPhophalia/MedInternia#966'],
  },
  'code-works-once-at-once/code-used-late': {
    title: 'A code is used up after the slow part, so equal confirmations all succeed',
    on: BOTH,
    seenIn: ['better-auth/better-auth#8067'],
  },
});
