/**
 * Reads a value from JSON by a JSON Pointer (RFC 6901): with one, an adapter file says where a value stands
 * in an answer.
 */

/**
 * Returns the value at `pointer` in a JSON value; `undefined` when there is none. The empty pointer names the
 * whole value. Finds no inherited members (`toString`), and array elements only by their plain number.
 * @param pointer one that {@link POINTER} matches
 * @example valueAt({ result: { 'a/b': [7] } }, '/result/a~1b/0') // 7
 */
export function valueAt(json: unknown, pointer: string): unknown {
  let value = json;
  for (const token of tokensOf(pointer)) {
    if (typeof value !== 'object' || value === null) return undefined;
    if (Array.isArray(value)) value = ARRAY_INDEX.test(token) ? value[Number(token)] : undefined;
    else value = Object.hasOwn(value, token) ? (value as Record<string, unknown>)[token] : undefined;
  }
  return value;
}

export const memberPointer = (pointer: string, name: string): string =>
  `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** Matches every valid JSON Pointer: empty, or starting with a slash, with `~` only in `~0` and `~1`. */
export const POINTER = /^(?:\/(?:[^~/]|~[01])*)*$/u;

/**
 * An array index: no leading zeros, no sign, and no `-`, which names the element after the last. At most nine
 * digits, which is more than an answer can hold.
 */
const ARRAY_INDEX = /^(?:0|[1-9]\d{0,8})$/;

function tokensOf(pointer: string): string[] {
  // `~1` must be replaced before `~0`, so that `~01` becomes `~1`.
  return pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}
