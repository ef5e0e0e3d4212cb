/** Reads untrusted JSON: the syntax of RFC 8259, then the stricter rules of I-JSON (RFC 7493). */
import { RpcError } from './errors.ts';

/** The deepest nesting of arrays and objects in one message. */
export const MAX_DEPTH = 32;

/**
 * Parse a message.
 * @throws RpcError `parse_error` when it is not JSON; `invalid_request` when it is JSON with duplicate member
 *   names, unpaired surrogates, a member named `__proto__`, or nesting beyond {@link MAX_DEPTH} levels.
 *   Nesting is checked first, so a text with too many open brackets is refused for that, whatever else is
 *   wrong with it. Numbers are doubles here: the parameters of no method need more.
 */
export function readJson(text: string): unknown {
  const { depth, members } = measure(text);
  if (depth > MAX_DEPTH) throw refused(`The message nests deeper than ${MAX_DEPTH} levels.`);
  const parsed = parse(text);
  if (!parsed) throw new RpcError('parse_error');
  const { value } = parsed;
  if (countMembers(value) !== members)
    throw refused('The message has an object with the same member name twice.');
  return value;
}

/** Parse JSON text. Undefined: it is not JSON. An integer that a double would round is a bigint. */
export function tryJson(text: string): { value: unknown } | undefined {
  const parsed = parse(text);
  return parsed && { value: exactValue(text, parsed.value) };
}

/** The value of a JSON text, where an integer that a double would round is a bigint. */
export function exactValue(text: string, rounded: unknown): unknown {
  // An integer of fewer digits is below 2^53.
  const marked = /\d{16}/.test(text) ? withMarks(text) : text;
  return marked === text ? rounded : (parse(marked, unmarked)?.value ?? rounded);
}

/** The error of the parser is dropped on purpose: it quotes the text, which must not reach a log. */
function parse(text: string, revive?: Parameters<typeof JSON.parse>[1]): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(withoutMark(text), revive) };
  } catch {
    return undefined;
  }
}

/** The text without a byte order mark, which some programs write before JSON (RFC 8259, 8.1). */
export const withoutMark = (text: string): string => (text.startsWith('\ufeff') ? text.slice(1) : text);

/** Whether a value of {@link tryJson} was written as a number. */
export const isNumber = (value: unknown): value is number | bigint =>
  typeof value === 'number' || typeof value === 'bigint';

/** Write a value of {@link tryJson} as JSON, each bigint by its digits. */
export function writeJson(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return `[${value.map(writeJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${writeJson(member)}`).join(',')}}`;
}

/** A longer integer is a double all the same: no number of so many digits names anything. */
const INTEGER = /^-?\d{1,1000}$/;
const NUMBER = /[-+.\deE]+/y;
const COLON = /\s*:/y;

/**
 * Write each integer that a double rounds as a string with `#` before its digits, in valid JSON. Each string
 * that is no member name then begins with `'`, so that no text of the sender can pass for a number.
 */
function withMarks(text: string): string {
  let marked = '';
  let from = 0;
  let isChanged = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string;
    if (char === '"') {
      const end = endOfString(text, at);
      COLON.lastIndex = end + 1;
      if (!COLON.test(text)) {
        marked += `${text.slice(from, at)}"'`;
        from = at + 1;
      }
      at = end;
    } else if (char === '-' || (char >= '0' && char <= '9')) {
      NUMBER.lastIndex = at;
      const [digits] = NUMBER.exec(text) as unknown as [string];
      if (INTEGER.test(digits) && digits !== '-0' && String(Number(digits)) !== digits) {
        marked += `${text.slice(from, at)}"#${digits}"`;
        from = at + digits.length;
        isChanged = true;
      }
      at += digits.length - 1;
    }
  }
  return isChanged ? marked + text.slice(from) : text;
}

function unmarked(_name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return value.startsWith('#') ? BigInt(value.slice(1)) : value.slice(1);
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
