/** What a request body costs before it is parsed: JSON of many small parts takes the parser a hundred times longer than its size says. */

/**
 * Members and elements of one body. A batch of 100 calls with every parameter has about 2,000. The parser takes some
 * 5 ms over so many different names, and more than 100 ms over the 120,000 that 1 MiB has room for.
 */
export const MAX_ELEMENTS = 10_000;

/** Of a limit on calls, a body costs one point for so many of its members and elements. */
const ELEMENTS_PER_POINT = 100;
/** Or one point for so many of its bytes, where that is more. */
const BYTES_PER_POINT = 16 * 1024;
/** No body costs more than a whole batch, which every limit has room for. */
const MAX_POINTS = 100;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING_BRACKET = 0x5b;
const OPENING_BRACE = 0x7b;

/**
 * Counts the members and elements of a JSON text, in one pass over its bytes and without parsing it: one for each
 * bracket that opens and for each comma, outside of strings. Of valid JSON that is exact, but that an empty array or
 * object counts as one. In other text everything before the first error is counted right.
 * @returns at most `limit + 1`: counting stops there
 */
export function countElements(json: Uint8Array, limit: number = MAX_ELEMENTS): number {
  let count = 0;
  for (let at = 0; at < json.length && count <= limit; at++) {
    switch (json[at]) {
      case QUOTE:
        at = endOfString(json, at);
        break;
      case COMMA:
      case OPENING_BRACKET:
      case OPENING_BRACE:
        count++;
        break;
    }
  }
  return count;
}

/** What a body costs of a limit on calls, where a call of usual size costs one point. */
export function pointsOf(bytes: number, elements: number): number {
  const points = Math.max(Math.ceil(bytes / BYTES_PER_POINT), Math.ceil(elements / ELEMENTS_PER_POINT));
  return Math.min(MAX_POINTS, Math.max(1, points));
}

/** The index of the quote that closes the string opened at `start`, or the end where none does. */
function endOfString(json: Uint8Array, start: number): number {
  for (let at = start + 1; at < json.length; at++) {
    const byte = json[at];
    if (byte === BACKSLASH) at++;
    else if (byte === QUOTE) return at;
  }
  return json.length;
}
