/** Sessions that are shown wrongly: a token, and every value that its sign-in kept, changed so that they keep their shape. */
import type { StepInput } from '../adapter/adapter.ts';
import type { User } from './user.ts';

/** Draws a number from 0 up to, and without, `below`. */
type Draw = (below: number) => number;

/** How a credential is changed. */
export type Spoiling = 'invented' | 'changed' | 'cut' | 'other case';

/** Builds what a step sends in place of the user's session. A changed value is a secret like the whole. */
export function spoiltSession(
  { token = '' }: User,
  how: Spoiling,
  { draw, learn }: { draw: Draw; learn: (value: string) => void },
): StepInput {
  const change = (value: string) => {
    const changed = spoil(value, how, draw);
    if (changed.length >= SHORTEST_SECRET) learn(changed);
    return changed;
  };
  return { token: change(token), spoilt: { token, change } };
}

/** A shorter text is no secret: masking it would hide it wherever these characters stand. */
const SHORTEST_SECRET = 8;

/** The name of a cookie, or of a scheme, before the value itself. */
const NAME = /^[A-Za-z][\w.-]*[= ](?=.{8})/;

/** The value made wrong; a name before it, as in `sid=abc`, stays. */
export function spoil(value: string, how: Spoiling, draw: Draw): string {
  const [name = ''] = NAME.exec(value) ?? [];
  const own = value.slice(name.length);
  return name + WAYS[how](own, draw);
}

const WAYS: Readonly<Record<Spoiling, (value: string, draw: Draw) => string>> = {
  invented: (value, draw) => [...value].map((char) => another(char, value, draw)).join(''),
  changed: changeOne,
  cut: (value) => value.slice(0, Math.floor(value.length / 2)),
  // Where case tells nothing apart, as in hex digits, another character is put in.
  'other case': (value, draw) =>
    /[a-z]/.test(value) && /[A-Z]/.test(value)
      ? value.replace(/[A-Za-z]/g, (char) => (char < 'a' ? char.toLowerCase() : char.toUpperCase()))
      : changeOne(value, draw),
};

/** The last characters of a base64 text may stand for no bits, so the one that is changed stands before them. */
const UNUSED_TAIL_LENGTH = 5;

function changeOne(value: string, draw: Draw): string {
  const places = [...value].flatMap((char, index) => (/[A-Za-z0-9]/.test(char) ? [index] : []));
  const place = places.findLast((index) => index < value.length - UNUSED_TAIL_LENGTH) ?? places[0];
  if (place === undefined) return `${value}x`;
  return value.slice(0, place) + another(value.charAt(place), value, draw) + value.slice(place + 1);
}

/** Another character of the same kind: a digit for a digit, a hex digit for a hex digit. */
function another(char: string, value: string, draw: Draw): string {
  const letters = /^[0-9a-f-]+$/i.test(value) ? 'abcdef' : 'abcdefghijklmnopqrstuvwxyz';
  const kind = [letters, letters.toUpperCase(), '0123456789'].find((each) => each.includes(char));
  if (kind === undefined) return char;
  return kind.charAt((kind.indexOf(char) + 1 + draw(kind.length - 1)) % kind.length);
}
