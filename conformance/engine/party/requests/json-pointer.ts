/** JSON Pointer (RFC 6901): how an adapter file names the place of a value in an answer. */

/**
 * Returns the value at `pointer` in a JSON value; undefined when there is none. The empty pointer names the
 * whole value. Finds only own members of the JSON, and array elements only by their plain number.
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

/** Matches every valid JSON Pointer: empty, or starting with a slash, with `~` only in `~0` and `~1`. */
export const POINTER = /^(?:\/(?:[^~/]|~[01])*)*$/u;

/** No leading zeros, no sign, and no `-`, which names the element after the last. */
const ARRAY_INDEX = /^(?:0|[1-9]\d{0,8})$/;

function tokensOf(pointer: string): string[] {
  // `~1` before `~0`, so that `~01` becomes `~1`.
  return pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}
