/** Finds the one-time code in the text of a message, and normalizes phones. */
import { phoneKey } from '#protocol/wire/matching.ts';

/** A number in a message, in any language, that can be a one-time code. */
type Candidate = {
  digits: string;
  /** The number as it is written, with # for each digit, so that a report can show it. */
  shape: string;
  /** True for four to eight digits in a row, and for two groups of three. */
  isPlain: boolean;
  /** True for a year, a range of hours and a number within an address: few codes look like these. */
  isDoubtful: boolean;
  /** True when a word for a code, such as "PIN", stands beside the number. */
  isNamed: boolean;
};

/** The digits that a one-time code has at least, and at most. */
const MIN_DIGITS = 4;
const MAX_DIGITS = 8;

const MIN_PHONE_DIGITS = 10;

/** Groups of digits with one space or hyphen, of any width, between them; not part of a word or number. */
const GROUPS =
  /(?<![A-Za-z0-9_]|\d[.,:/])\d+(?:[ \u00a0\u2007-\u200a\u202f\u2010-\u2014-]\d+)*(?![A-Za-z0-9_]|[.,:/]\d)/gu;

/** Texts with digits that are never a code. They are removed before numbers are looked for. */
const NO_CODES: readonly RegExp[] = [
  // The hash of an Android application, eleven characters, with which some messages end.
  /(?<=\s)(?=[A-Za-z0-9+/]*[A-Za-z+/])[A-Za-z0-9+/]{11}\s*$/gu,
  /\+(?:\d{6,15}|\d{1,3} \d{8,11}|\d{1,4}(?:[ ().-]{1,2}\d{1,4}){2,5})(?!\d)/gu,
  /(?<!\d)(?:\d[ -]?)?\(\d{2,5}\)[ -]?\d{1,4}(?:[ -]?\d{1,4}){1,3}(?!\d)/gu,
  /(?<!\d)\d{1,2}(?:([./-])\d{1,2}\1\d{4}|([./])\d{1,2}\2\d{2})(?!\d)/gu,
  /(?<!\d)(?:19|20)\d{2}([./-])\d{1,2}\1\d{1,2}(?!\d)/gu,
  /(?<!\d)\d{1,2}:\d{2}(?::\d{2})?(?!\d)/gu,
  // Amounts of money, percentages, decimal numbers, and numbers of which a part is hidden by stars or dots.
  /(?:[$€£¥₽₹₴₸]|\b(?:USD|EUR|RUB|GBP|CHF|INR)) ?\d+(?:[ .,]\d{3})*(?:[.,]\d+)?(?!\d)/gu,
  /(?<!\d)\d+(?:[ .,]\d{3})*(?:[.,]\d+)? ?(?:[$€£¥₽₹₴₸%]|(?:USD|EUR|RUB|GBP|CHF|INR|rub|руб|р)(?![\p{L}\p{N}]))/gu,
  /(?<!\d)\d+(?:[.,]\d+)+(?!\d)/gu,
  /[*•×…]+ ?\d+/gu,
];

/** The forms of text that {@link Candidate.isDoubtful} names: addresses, years, ranges of hours. */
const ADDRESS = /(?:https?:\/\/|www\.)\S+|\S+@\S+/giu;
const YEAR = /^(?:19|20)\d{2}$/;
const HOURS = /^(?:[01]?\d|2[0-4])(?:[0-5]\d)?[‐-—-](?:[01]?\d|2[0-4])(?:[0-5]\d)?$/u;

/** Words for a code, which stand before the number ("code is 1234") or after it ("1234 is your code"). */
const WORD_FOR_CODE =
  '(?:codes?|pin|otp|tan|passcode|password|kennwort|kod|código|codigo|codice|код|пароль|пин|验证码|驗證碼|認証コード|인증번호)';
const NAMED_BEFORE = new RegExp(`${WORD_FOR_CODE}(?: (?:is|ist|lautet|est|es|è))?\\s?[:=–—-]?\\s?$`, 'iu');
const NAMED_AFTER = new RegExp(
  `^ (?:is|ist|est|es|è) (?:your |the |ihr |dein |votre |tu |su )?(?:\\p{L}+ ){0,2}${WORD_FOR_CODE}`,
  'iu',
);

/** The last line of a message that states its code for a web page: `@example.com #481920`. */
const BOUND = /^@\S+ #(\d{4,8})(?: [@%]\S+)*$/u;

const statedCode = (message: string) =>
  BOUND.exec(withAsciiDigits(message).trimEnd().split('\n').at(-1) ?? '')?.[1];

/** Returns the numbers that can be the code, in the order of the text. A number that occurs twice is one. */
function candidatesIn(message: string): Candidate[] {
  const text = withAsciiDigits(message);
  // As many null characters as the removed text had keep the positions, which are compared with addresses.
  const left = NO_CODES.reduce(
    (rest, pattern) => rest.replace(pattern, (found) => '\0'.repeat(found.length)),
    text,
  );
  const addresses = [...text.matchAll(ADDRESS)].map(
    ({ 0: found, index }) => [index, index + found.length] as const,
  );
  const byDigits = new Map<string, Candidate>();
  for (const { 0: found, index } of left.matchAll(GROUPS)) {
    const digits = found.replace(/\D/g, '');
    if (!canBeCode(found, digits)) continue;
    const isInAddress = addresses.some(([from, to]) => from <= index && index < to);
    const known = byDigits.get(digits);
    byDigits.set(digits, {
      digits,
      shape: found.replace(/\d/g, '#'),
      isPlain: known?.isPlain || /^(?:\d{4,8}|\d{3}\D\d{3})$/u.test(found),
      isDoubtful: (known?.isDoubtful ?? true) && (YEAR.test(found) || HOURS.test(found) || isInAddress),
      isNamed:
        known?.isNamed ||
        NAMED_BEFORE.test(left.slice(0, index)) ||
        NAMED_AFTER.test(left.slice(index + found.length)),
    });
  }
  return [...byDigits.values()];
}

function canBeCode(found: string, digits: string): boolean {
  if (digits.length < MIN_DIGITS) return false;
  if (digits.length <= MAX_DIGITS) return true;
  const groups = found.split(/\D/u);
  const [first = ''] = groups;
  if (digits.length >= MIN_PHONE_DIGITS && (first.length <= MIN_DIGITS || /^[\d-]+$/.test(found)))
    return false;
  return groups.some(({ length }) => length >= MIN_DIGITS && length <= MAX_DIGITS);
}

function withAsciiDigits(text: string): string {
  return text.replace(/(?![0-9])\p{Nd}/gu, (digit) => {
    let zero = digit.codePointAt(0) ?? 0;
    const value = zero;
    // In Unicode each script has its digits 0 to 9 in a row, and two rows may follow each other directly.
    while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
    return String((value - zero) % 10);
  });
}

/** The code, if it is sure, and the other numbers that could be it, with # for each digit. */
export type FoundCode = { code: string | undefined; others: readonly string[] };

/** Limits what is read of a message: some numbers in it are read once for each number before them. */
const MAX_MESSAGE_CHARS = 10_000;

/** Finds the code by the pattern, or as the only number that can be it: a wrong guess would blame the server. */
export function findCode(message: string, pattern: string | undefined): FoundCode {
  const text = message.slice(0, MAX_MESSAGE_CHARS);
  const candidates = candidatesIn(text);
  const match = pattern === undefined ? undefined : new RegExp(pattern, 'u').exec(text);
  const code =
    pattern === undefined ? (statedCode(text) ?? onlyCode(candidates)) : (match?.[1] ?? match?.[0]);
  const digits = code?.replace(/\P{Nd}/gu, '');
  return {
    code,
    others: candidates.filter((candidate) => candidate.digits !== digits).map(({ shape }) => shape),
  };
}

/** Says why a message has no code, after "and". `at`: the key for a pattern. */
export function noCodeIn(
  others: readonly string[],
  { pattern, at }: { pattern: string | undefined; at: string },
) {
  if (pattern !== undefined) return `the pattern ${pattern} finds no code in it`;
  const write = `Write ${at}, a regular expression whose group is the code, such as "code is (\\\\d{6})"`;
  if (others.length === 0)
    return `no number of four to eight digits in it can be the code. ${write}; with it a shorter code is judged too`;
  if (others.length === 1) return `it is not sure that ${others[0]} is the code. ${write}`;
  return `several candidates in it could be the code: ${others.join(', ')}. ${write}`;
}

/** The code among the candidates: doubtful ones, such as a year, are put aside first. */
function onlyCode(candidates: readonly Candidate[]): string | undefined {
  const certain = candidates.length === 1 ? candidates : candidates.filter(({ isDoubtful }) => !isDoubtful);
  const [first] = certain;
  if (certain.length !== 1 || !first?.isPlain) return undefined;
  if (candidates.length === 1) return first.isDoubtful && !first.isNamed ? undefined : first.digits;
  return first.isNamed && !candidates.some((each) => each !== first && each.isNamed)
    ? first.digits
    : undefined;
}

/** Fewer digits than this at the end of two phones are equal by chance. */
const MIN_ALIKE_DIGITS = 7;

/** Says that one of the messages, which went to `recipients`, went to another spelling of this phone. */
export function misspelling(phone: string, recipients: Iterable<string>): string | undefined {
  const digits = (text: string) => text.replace(/\D/g, '');
  const asked = digits(phone);
  for (const came of [...recipients].map(digits)) {
    const [short, long] = asked.length < came.length ? [asked, came] : [came, asked];
    if (short.length < MIN_ALIKE_DIGITS || short === long || !long.endsWith(short)) continue;
    const lead = long.slice(0, -short.length);
    if (long === asked)
      return `A message came to the phone without the ${lead} before it. Write people.phones as your server spells them.`;
    return `A message came to the phone with ${lead} before it. Write otp.prefix: "${lead}", or people.phones as your server spells them.`;
  }
  return undefined;
}

/** Returns a phone in a form in which equal phones are equal texts; for other texts, their digits. */
export function phoneOf(text: string): string {
  return phoneKey(text) ?? text.replace(/\D/g, '');
}
