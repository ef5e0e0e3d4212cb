/** Reads untrusted JSON: the syntax of RFC 8259, then the stricter rules of I-JSON (RFC 7493). */
import { RpcError } from './errors.ts';

/** The deepest nesting of arrays and objects in one message. */
export const MAX_DEPTH = 32;

/**
 * Parse a message.
 * @throws RpcError `parse_error` when it is not JSON; `invalid_request` when it is JSON with duplicate member
 *   names, unpaired surrogates, a member named `__proto__`, or nesting beyond {@link MAX_DEPTH} levels.
 *   Nesting is checked first, so a text with too many open brackets is refused for that, whatever else is
 *   wrong with it.
 */
export function readJson(text: string): unknown {
  const { depth, members } = measure(text);
  if (depth > MAX_DEPTH) throw refused(`The message nests deeper than ${MAX_DEPTH} levels.`);
  const parsed = tryJson(text);
  if (!parsed) throw new RpcError('parse_error');
  const { value } = parsed;
  if (countMembers(value) !== members)
    throw refused('The message has an object with the same member name twice.');
  return value;
}

/**
 * Parse JSON text. Undefined: it is not JSON. The error of the parser is dropped on purpose, because it
 * quotes the text, which must not reach a log.
 */
export function tryJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function refused(sentence: string): RpcError {
  return new RpcError('invalid_request', { errors: [sentence] });
}

/** Count the colons and the deepest nesting outside strings. In valid JSON every colon is one member. */
function measure(text: string): { depth: number; members: number } {
  let depth = 0;
  let deepest = 0;
  let members = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22:
        at = endOfString(text, at);
        break;
      case 0x3a:
        members++;
        break;
      case 0x5b:
      case 0x7b:
        if (++depth > deepest) deepest = depth;
        break;
      case 0x5d:
      case 0x7d:
        depth--;
        break;
    }
  }
  return { depth: deepest, members };
}

/** The index of the quote that closes the string opened at `start`, or the end of the text if none does. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === 0x5c) at++;
    else if (char === 0x22) return at;
  }
  return text.length;
}

/**
 * Count the members after parsing. If there are fewer than in the text, a name occurred twice in one object.
 */
function countMembers(value: unknown): number {
  if (typeof value === 'string') {
    if (!value.isWellFormed()) throw refused('The message has a string with an unpaired surrogate.');
    return 0;
  }
  if (typeof value !== 'object' || value === null) return 0;
  if (Array.isArray(value)) {
    let count = 0;
    for (const item of value) count += countMembers(item);
    return count;
  }
  let count = 0;
  for (const name of Object.keys(value)) {
    if (name === '__proto__') throw refused('The message has a member named __proto__.');
    if (!name.isWellFormed()) throw refused('The message has a member name with an unpaired surrogate.');
    count += 1 + countMembers((value as Record<string, unknown>)[name]);
  }
  return count;
}
