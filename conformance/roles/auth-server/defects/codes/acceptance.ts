/** Defects in which codes are accepted, for which phones, and for how long. */
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

const sorted = (text: string) => [...text].sort().join('');

/** Adds to the refusal of a wrong code what `told` makes of the comparison with the right code, by digit. */
const tellsDigits = (told: (same: readonly boolean[]) => object) =>
  tellsInRefusal(CONFIRM, ({ parts, params }) => {
    const [right] = codesSent(parts, params.phone);
    return right === undefined
      ? undefined
      : told([...right].map((digit, place) => String(params.code)[place] === digit));
  });

/** The number of digits that are right (`value` true) or wrong (false). */
const count = (same: readonly boolean[], value: boolean) => same.filter((digit) => digit === value).length;

export const acceptanceDefects = foundBy({
  'wrong-code-refused': [
    'any-code: Any code is accepted',
    accepts(({ sent }) => sent.length > 0),
    'session-in-refusal: The refusal of a wrong code carries a session of the user of that phone',
    tellsInRefusal(CONFIRM, (turn) => {
      const user = userOf(turn);
      return user === undefined ? undefined : { authInfo: addedSession(turn.parts, user) };
    }),
  ],
  'phone-confirmed': ['phone-alone: A phone alone opens a session, whatever the code', accepts(() => true)],
  'used-code-refused': [
    'code-accepted-twice: A used code is accepted again',
    accepts(({ code, sent }) => sent[0] === code),
  ],
  'foreign-code-refused': [
    'code-not-bound-to-phone: A code is accepted for any phone',
    accepts(({ text, turn }) => codesSent(turn.parts).includes(text)),
  ],
  'no-session-without-code': [
    'master-code: The code 000000 is accepted for every phone',
    accepts(({ code }) => code === '000000'),
  ],
  'superseded-code-refused': [
    'old-codes-live-on: A code sent before the newest one is still accepted',
    accepts(({ text, sent }) => sent.slice(1).includes(text)),
  ],
  'expired-code-refused': [
    'codes-never-expire: Codes never expire',
    wraps(codesIn, 'claim', (claim, { store, clock }, attribute, code) => {
      const sent = store.codes.find(attribute);
      // The code lives another minute whenever it is tried.
      if (sent) store.codes.put(attribute, sent, clock.now(), clock.now() + 60_000);
      return claim(attribute, code);
    }),
    'tries-prolong-code: Each try prolongs the life of a code',
    wraps(codeRowsIn, 'find', (find, { clock, ledger }, attribute) => {
      const sent = find(attribute);
      if (!sent) return undefined;
      const ends = ledger.notes<number>('ends of codes');
      const expiresAt = ends.get(sent.seq) ?? sent.expiresAt;
      if (clock.now() < expiresAt) ends.set(sent.seq, clock.now() + CODE_LIFETIME_MS);
      return { ...sent, expiresAt };
    }),
  ],
  'code-confirms-own-phone': [
    'code-for-known-phones: A code that was sent to anybody confirms the phone of a known user',
    accepts(({ text, turn }) => userOf(turn) !== undefined && codesSent(turn.parts).includes(text)),
  ],
  'whole-code-compared': [
    'last-four-compared: The last four digits of a code are compared',
    accepts(({ text, sent: [right = 'none'] }) => text.length === 6 && text.slice(-4) === right.slice(-4)),
    'digits-in-any-order: The digits of a code are compared without their order',
    accepts(({ text, sent: [right = '-'] }) => sorted(text) === sorted(right)),
  ],
  'code-alone-accepted': [
    'code-sought-in-text: A text that has the code in it confirms',
    accepts(({ text, sent: [right = 'none'] }) => text.includes(right)),
  ],
  'empty-code-after-use-refused': [
    'used-code-emptied: After a code was used an empty one confirms',
    accepts(
      ({ code, sent, turn }) =>
        code === '' && sent.length > 0 && turn.parts.store.codes.find(phoneOf(turn)) === undefined,
    ),
  ],
  'wrong-code-with-sign-refused': [
    'sign-skips-code: A sign-in with a signature needs no right code',
    accepts(({ sent, turn }) => typeof turn.params.ehr_user_sign === 'string' && sent.length > 0),
  ],
  'refusal-tells-no-digits': [
    'right-digits-counted: The refusal of a wrong code counts its right digits',
    tellsDigits((same) => ({ right: count(same, true) })),
    'right-digits-marked: The refusal of a wrong code marks each right digit',
    tellsDigits((same) => ({ same })),
  ],
  'code-works-once-at-once': [
    'code-used-up-last: A code is used up after the slow part, so equal confirmations all succeed',
    wraps(codesIn, 'claim', (claim, mock, attribute, code) => {
      const claimed = claim(attribute, code);
      claimed.release();
      return { consume: () => later(mock, SLOW_PART_MS, () => claimed.consume()), release: () => undefined };
    }),
  ],
});
