/** Finds the code and the phone in the calls of a sign-in, by their names, forms and places. */
import { type SeenValue, wordsOf } from '../../../engine/learn/exchange.ts';
import { type ClientCall, usesOf } from './read-calls.ts';

const CODE_NAME =
  /\b(?:otp|code|pin|sms|passcode|one time|tan|kod|2fa|mfa|verification|confirmation|totp|secret|answer)\b/;
const NO_CODE_NAME =
  /\b(?:year|date|birth\w*|zip|postal|country|version|limit|offset|page|time|ts|ttl|phone|amount)\b/;
const CONFIRM_WORDS =
  /\b(?:confirm|verify|verification|check|login|log in|sign in|signin|auth|session|token|validate|answer|challenge|complete|finish)/;
const PHONE_NAME =
  /\b(?:phone|mobile|msisdn|tel|telephone|cell|contact|telefon|handy|number|to|login|user|username|identifier|account)\b/;
const STRONG_PHONE_NAME = /\b(?:phone|mobile|msisdn|tel|telephone|cell|telefon|handy)\b/;

export function codeAt(call: ClientCall, code: SeenValue): string | undefined {
  const found = sameIn(call.sent, code);
  return found !== undefined && isCode(found) ? found : undefined;
}

export const sameIn = (values: readonly SeenValue[], like: SeenValue | undefined): string | undefined =>
  values.find(
    ({ place, name }) => place.in === like?.place.in && place.key === like.place.key && name === like.name,
  )?.value;

const isCode = (value: string) => /^\d{4,8}$/.test(value);

/** The request that sends a code, and the code; by its name, its place in the flow and what it brings. */
export function codeIn(calls: readonly ClientCall[]): { call: ClientCall; value: SeenValue } | undefined {
  const scored = calls.flatMap((call) =>
    call.sent
      .filter(({ value, place }) => isCode(value) && !['header', 'cookie'].includes(place.in))
      .map((value) => ({ call, value, score: codeScore(call, value, calls) })),
  );
  const [best] = scored.toSorted((a, b) => b.score - a.score);
  return best && best.score >= MIN_CODE_SCORE ? best : undefined;
}

/** Each sign adds points. A code needs so many: such as its name (4) and a phone sent before it (2). */
const MIN_CODE_SCORE = 5;

function codeScore(call: ClientCall, { value, name }: SeenValue, calls: readonly ClientCall[]): number {
  const words = wordsOf(name);
  const before = calls.filter(({ number }) => number < call.number);
  const wasGiven = before.some(({ given }) => given.some((each) => each.value === value));
  return (
    (CODE_NAME.test(words) ? 4 : 0) -
    (NO_CODE_NAME.test(words) ? 6 : 0) +
    (CONFIRM_WORDS.test(call.words) ? 2 : 0) +
    (phoneIn([...before, call]) === '' ? 0 : 2) +
    (call.given.some((given) => usesOf(given.value, call, calls).length > 0) ? 3 : 0) -
    (wasGiven ? 2 : 0) -
    (call.exchange.request.method === 'GET' ? 2 : 0)
  );
}

/** The phone that these calls send; '' where there is none. The first calls send it. */
export function phoneIn(calls: readonly ClientCall[]): string {
  // A number of a phone's length that several calls send may be one, whatever its name.
  const repeatScore = (value: string) =>
    value.replace(/\D/g, '').length >= 10 &&
    calls.filter(({ sent }) => sent.some((each) => each.value === value)).length > 1
      ? 1
      : 0;
  const scored = calls.flatMap(({ sent }, index) =>
    sent
      .filter(({ place }) => !['header', 'cookie'].includes(place.in))
      .map(({ value, name }) => ({
        value,
        // Of equal ones the first counts.
        score: phoneScore(value, wordsOf(name)) + repeatScore(value) - index / 100,
      })),
  );
  const [best] = scored.toSorted((a, b) => b.score - a.score);
  return best && best.score > MIN_PHONE_SCORE ? best.value : '';
}

/** Two points, less a little for a late call: a name of a phone (2 or 3), or two of length, `+`, repetition. */
const MIN_PHONE_SCORE = 1.5;
/** No other sign outweighs it. */
const NO_PHONE = -10;

function phoneScore(value: string, words: string): number {
  const digits = value.replace(/\D/g, '');
  if (!/^\+?[\d\s().-]+$/.test(value) || digits.length < 7 || digits.length > 15) return NO_PHONE;
  const isTime = /^1[67]\d{8}(?:\d{3})?$/.test(value) && !PHONE_NAME.test(words);
  if (isTime || /^\d{4}-\d\d-\d\d/.test(value)) return NO_PHONE;
  const named = STRONG_PHONE_NAME.test(words) ? 3 : PHONE_NAME.test(words) ? 2 : 0;
  return named + (digits.length >= 10 ? 1 : 0) + (value.startsWith('+') ? 1 : 0);
}
