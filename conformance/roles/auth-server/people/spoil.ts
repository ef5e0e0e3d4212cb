/** Spoils the credentials of a session, in the format of the original. */
import type { StepInput } from '../adapter/adapter.ts';
import type { User } from './users.ts';

type Draw = (below: number) => number;

/** Another value of the same form; one character, or the last one, changed; or half cut off. */
export type Spoiling = 'invented' | 'changed' | 'last changed' | 'cut';

/**
 * What a step sends instead of the user's session: the changed token, and in `spoilt` how the adapter finds
 * and changes what it keeps of the session. `learn` masks each changed value.
 */
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

/** Shorter values are not masked: the same few characters occur elsewhere, and would be hidden there. */
const MIN_SECRET_CHARS = 8;

/**
 * A name before the value that stays: of a cookie (`sid=`), or of a scheme (`Bearer `). Eight characters must
 * follow, so that a token with `=` at its end is no name.
 */
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
};

/** How many last characters {@link changeOne} leaves: in base64 the last ones may encode no bits. */
const UNUSED_TAIL_CHARS = 5;

/** Changes one letter or digit, not one of the last. */
function changeOne(value: string, draw: Draw): string {
  const places = [...value].flatMap((char, index) => (/[A-Za-z0-9]/.test(char) ? [index] : []));
  const place = places.findLast((index) => index < value.length - UNUSED_TAIL_CHARS) ?? places[0];
  if (place === undefined) return `${value}x`;
  return value.slice(0, place) + another(value.charAt(place), value, draw) + value.slice(place + 1);
}

/** The first 62 digits of base64, by value. The other two are signs that differ between alphabets. */
const BASE64_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** In base64 the last one may encode two bits only: its highest bit (32) always counts. */
function changeLast(value: string, draw: Draw): string {
  const place = [...value].findLastIndex((char) => /[A-Za-z0-9]/.test(char));
  if (place === -1) return `${value}x`;
  const char = value.charAt(place);
  const index = BASE64_DIGITS.indexOf(char);
  const isHex = /^[0-9a-f-]+$/i.test(value);
  // Where the digit would become one of the two signs, two bits are changed.
  const other = BASE64_DIGITS.charAt(index ^ 32) || BASE64_DIGITS.charAt(index ^ 48);
  return value.slice(0, place) + (isHex ? another(char, value, draw) : other) + value.slice(place + 1);
}

function another(char: string, value: string, draw: Draw): string {
  const letters = /^[0-9a-f-]+$/i.test(value) ? 'abcdef' : 'abcdefghijklmnopqrstuvwxyz';
  const kind = [letters, letters.toUpperCase(), '0123456789'].find((each) => each.includes(char));
  if (kind === undefined) return char;
  return kind.charAt((kind.indexOf(char) + 1 + draw(kind.length - 1)) % kind.length);
}
