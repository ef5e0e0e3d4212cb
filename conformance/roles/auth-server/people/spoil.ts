/** Spoils session credentials: changes a token and all values that its sign-in kept, in their own format. */
import type { StepInput } from '../adapter/adapter.ts';
import type { User } from './user.ts';

/** Draws an integer from 0 to `below`, exclusive. */
type Draw = (below: number) => number;

/** How a credential is changed. */
export type Spoiling = 'invented' | 'changed' | 'last changed' | 'cut' | 'other case' | 'inside a text';

/** Builds what a step sends instead of the user's session. A changed value is masked like the original. */
export function spoiltSession(
  { token = '' }: User,
  how: Spoiling,
  { draw, learn }: { draw: Draw; learn: (value: string) => void },
): StepInput {
  const change = (value: string) => {
    const changed = spoil(value, how, draw);
    if (changed.length >= MIN_SECRET_CHARS) learn(changed);
    return changed;
  };
  return { token: change(token), spoilt: { token, change } };
}

/** Shorter texts are not masked: that would hide them wherever these characters occur. */
const MIN_SECRET_CHARS = 8;

/** The name of a cookie, or of a scheme, before the value. */
const NAME = /^[A-Za-z][\w.-]*[= ](?=.{8})/;

/** Changes the value; keeps a name before it, as in `sid=abc`. */
export function spoil(value: string, how: Spoiling, draw: Draw): string {
  const [name = ''] = NAME.exec(value) ?? [];
  const body = value.slice(name.length);
  return name + WAYS[how](body, draw);
}

const WAYS: Readonly<Record<Spoiling, (value: string, draw: Draw) => string>> = {
  invented: (value, draw) => [...value].map((char) => another(char, value, draw)).join(''),
  changed: changeOne,
  'last changed': changeLast,
  cut: (value) => value.slice(0, Math.floor(value.length / 2)),
  // Of its own characters, so that no rule about the form of a token refuses the text.
  'inside a text': (value) => `${value.slice(0, 1)}${value}${value.slice(-1)}`,
  // Where case does not matter, as in hex digits, changes a character instead.
  'other case': (value, draw) =>
    /[a-z]/.test(value) && /[A-Z]/.test(value)
      ? value.replace(/[A-Za-z]/g, (char) => (char < 'a' ? char.toLowerCase() : char.toUpperCase()))
      : changeOne(value, draw),
};

/** The last characters of a base64 text may encode no bits, so an earlier one is changed. */
const UNUSED_TAIL_CHARS = 5;

function changeOne(value: string, draw: Draw): string {
  const places = [...value].flatMap((char, index) => (/[A-Za-z0-9]/.test(char) ? [index] : []));
  const place = places.findLast((index) => index < value.length - UNUSED_TAIL_CHARS) ?? places[0];
  if (place === undefined) return `${value}x`;
  return value.slice(0, place) + another(value.charAt(place), value, draw) + value.slice(place + 1);
}

const BASE64_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Changes the last character. In base64 it may encode two bits alone, the first of which is changed. */
function changeLast(value: string, draw: Draw): string {
  const place = [...value].findLastIndex((char) => /[A-Za-z0-9]/.test(char));
  if (place === -1) return `${value}x`;
  const char = value.charAt(place);
  const index = BASE64_DIGITS.indexOf(char);
  const isHex = /^[0-9a-f-]+$/i.test(value);
  // Two would become signs that not every alphabet has.
  const other = BASE64_DIGITS.charAt(index ^ 32) || BASE64_DIGITS.charAt(index ^ 48);
  return value.slice(0, place) + (isHex ? another(char, value, draw) : other) + value.slice(place + 1);
}

/** Another character of the same kind: a digit for a digit, a hex digit for a hex digit. */
function another(char: string, value: string, draw: Draw): string {
  const letters = /^[0-9a-f-]+$/i.test(value) ? 'abcdef' : 'abcdefghijklmnopqrstuvwxyz';
  const kind = [letters, letters.toUpperCase(), '0123456789'].find((each) => each.includes(char));
  if (kind === undefined) return char;
  return kind.charAt((kind.indexOf(char) + 1 + draw(kind.length - 1)) % kind.length);
}
