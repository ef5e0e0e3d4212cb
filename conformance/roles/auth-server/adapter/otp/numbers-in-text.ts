/** The numbers in the text of a message, and which of them can be a one-time code. */

/** A number that can be the code; `digits` without what stands between them. */
export type Candidate = {
  digits: string;
  /** As written, with # for each digit: fit to be shown. */
  shape: string;
  /** Four to eight digits in a row, or two groups of three. */
  isPlain: boolean;
  /** A year, hours, or within an address: a code looks so seldom. */
  isDoubtful: boolean;
  /** A word for a code stands beside it. */
  isNamed: boolean;
};

const MIN_DIGITS = 4;
const MAX_DIGITS = 8;

/** A phone has at least this many digits. */
const MIN_PHONE_DIGITS = 10;

/** Groups of digits with one space or hyphen between them, on their own. */
const GROUPS =
  /(?<![A-Za-z0-9_]|\d[.,:/])\d+(?:[ \u00a0\u2007-\u200a\u202f\u2010-\u2014-]\d+)*(?![A-Za-z0-9_]|[.,:/]\d)/gu;

/** Forms that are never a code, whatever their digits. */
const NO_CODES: readonly RegExp[] = [
  // The hash of an Android application ends the message.
  /(?<=\s)(?=[A-Za-z0-9+/]*[A-Za-z+/])[A-Za-z0-9+/]{11}\s*$/gu,
  // Phones with a plus or brackets.
  /\+(?:\d{6,15}|\d{1,3} \d{8,11}|\d{1,4}(?:[ ().-]{1,2}\d{1,4}){2,5})(?!\d)/gu,
  /(?<!\d)(?:\d[ -]?)?\(\d{2,5}\)[ -]?\d{1,4}(?:[ -]?\d{1,4}){1,3}(?!\d)/gu,
  // Dates and times.
  /(?<!\d)\d{1,2}(?:([./-])\d{1,2}\1\d{4}|([./])\d{1,2}\2\d{2})(?!\d)/gu,
  /(?<!\d)(?:19|20)\d{2}([./-])\d{1,2}\1\d{1,2}(?!\d)/gu,
  /(?<!\d)\d{1,2}:\d{2}(?::\d{2})?(?!\d)/gu,
  // Money, shares, and what is hidden in part.
  /(?:[$€£¥₽₹₴₸]|\b(?:USD|EUR|RUB|GBP|CHF|INR)) ?\d+(?:[ .,]\d{3})*(?:[.,]\d+)?(?!\d)/gu,
  /(?<!\d)\d+(?:[ .,]\d{3})*(?:[.,]\d+)? ?(?:[$€£¥₽₹₴₸%]|(?:USD|EUR|RUB|GBP|CHF|INR|rub|руб|р)(?![\p{L}\p{N}]))/gu,
  /(?<!\d)\d+(?:[.,]\d+)+(?!\d)/gu,
  /[*•×…]+ ?\d+/gu,
];

const ADDRESS = /(?:https?:\/\/|www\.)\S+|\S+@\S+/giu;
const YEAR = /^(?:19|20)\d{2}$/;
const HOURS = /^(?:[01]?\d|2[0-4])(?:[0-5]\d)?[‐-—-](?:[01]?\d|2[0-4])(?:[0-5]\d)?$/u;

const WORD_FOR_CODE =
  '(?:codes?|pin|otp|tan|passcode|password|kennwort|kod|código|codigo|codice|код|пароль|пин|验证码|驗證碼|認証コード|인증번호)';
const NAMED_BEFORE = new RegExp(`${WORD_FOR_CODE}(?: (?:is|ist|lautet|est|es|è))?\\s?[:=–—-]?\\s?$`, 'iu');
const NAMED_AFTER = new RegExp(
  `^ (?:is|ist|est|es|è) (?:your |the |ihr |dein |votre |tu |su )?(?:\\p{L}+ ){0,2}${WORD_FOR_CODE}`,
  'iu',
);

/** The code that a message states for a web page: its last line is `@example.com #481920`. */
const BOUND = /^@\S+ #(\d{4,8})(?: [@%]\S+)*$/u;

/** The code that a message states for a web page, if it does. */
export const statedCode = (message: string) =>
  BOUND.exec(withAsciiDigits(message).trimEnd().split('\n').at(-1) ?? '')?.[1];

/** Returns the numbers that can be the code, each value once. */
export function candidatesIn(message: string): Candidate[] {
  const text = withAsciiDigits(message);
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

/** Whether the groups may be a code, or have one among them. */
function canBeCode(found: string, digits: string): boolean {
  if (digits.length < MIN_DIGITS) return false;
  if (digits.length <= MAX_DIGITS) return true;
  const groups = found.split(/\D/u);
  const [first = ''] = groups;
  if (digits.length >= MIN_PHONE_DIGITS && (first.length <= MIN_DIGITS || /^[\d-]+$/.test(found)))
    return false;
  return groups.some(({ length }) => length >= MIN_DIGITS && length <= MAX_DIGITS);
}

/** Writes the digits of every script as those of ASCII. */
function withAsciiDigits(text: string): string {
  return text.replace(/(?![0-9])\p{Nd}/gu, (digit) => {
    let zero = digit.codePointAt(0) ?? 0;
    const value = zero;
    // Digits stand in their order, ten by ten.
    while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
    return String((value - zero) % 10);
  });
}
