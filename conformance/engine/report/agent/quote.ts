/**
 * Writes any text in one line for a program that reads the report. Text of a party under test stands in the
 * quotes « and ». It cannot end its quotes or its line, and has no character that a reader does not see: else
 * a server could write lines that look like those of the kit, or hidden words for a coding agent.
 */

/** A value in a line of the report. */
export type LineText = {
  text: string;
  /** Whether the text stands in quotes, because words of a party may be in it. */
  quoted: boolean;
};

/** Characters that no line has as they are: controls, invisible ones, other line breaks, and the quotes. */
const ESCAPED = /[\p{C}\p{Zl}\p{Zp}\p{DI}«»]/gu;

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** An escaped character as a line has it. */
function shown(char: string): string {
  const code = (char.codePointAt(0) ?? 0).toString(16);
  return SHORT[char] ?? (code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`);
}

/** The bytes that the quotes take. */
const QUOTES_BYTES = Buffer.byteLength('«»');

/** The bytes that are kept for the words on what was left out, of which the number is the longest part. */
const NOTE_BYTES = Buffer.byteLength('… [1234567890 bytes left out]');

/** A value that can be written in more or fewer bytes. */
export class OneLine {
  readonly #quoted: boolean;
  readonly #text: string;
  readonly #shown: string;
  readonly #shownBytes: number;

  constructor({ text, quoted }: LineText) {
    this.#quoted = quoted;
    this.#text = text.toWellFormed();
    this.#shown = this.#text.replaceAll(ESCAPED, shown);
    this.#shownBytes = Buffer.byteLength(this.#shown);
  }

  /** Returns the value in at most `max` bytes. Where it is cut, it says how many bytes were left out. */
  within(max: number): string {
    const room = max - (this.#quoted ? QUOTES_BYTES : 0);
    if (this.#shownBytes <= room) return this.#inQuotes(this.#shown);
    let kept = '';
    let bytes = 0;
    for (const char of this.#text) {
      const next = char.replace(ESCAPED, shown);
      if (bytes + Buffer.byteLength(next) > room - NOTE_BYTES) break;
      kept += next;
      bytes += Buffer.byteLength(next);
    }
    return `${this.#inQuotes(kept)}… [${this.#shownBytes - bytes} bytes left out]`;
  }

  #inQuotes(text: string): string {
    return this.#quoted ? `«${text}»` : text;
  }
}

/** Quotes the words of a party. They are cut at `max` bytes where that is given. */
export const quote = (text: string, max = Number.POSITIVE_INFINITY): string =>
  new OneLine({ text, quoted: true }).within(max);

/** Writes words of the kit in one line. They are cut at `max` bytes where that is given. */
export const plain = (text: string, max = Number.POSITIVE_INFINITY): string =>
  new OneLine({ text, quoted: false }).within(max);
