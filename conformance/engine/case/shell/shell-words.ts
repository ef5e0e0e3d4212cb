/**
 * Writes the expressions of a Node script as words of a POSIX shell: literals, variables, sums, digests and
 * parts of texts.
 */

/** A shell cannot say this; the message names it. */
export class Unsayable extends Error {}

/** How a literal text stands in the document that the word is part of, such as JSON. */
export type Escape = (text: string) => string;

const asItIs: Escape = (text) => text;

/** A literal as one word. */
export const shellQuoted = (text: string): string => {
  if (text.includes('\0')) throw new Unsayable('a zero byte');
  return `'${text.replaceAll("'", `'\\''`)}'`;
};

/**
 * An expression as one word. `written` writes its literals; values of variables stand as they are.
 * @throws Unsayable for an expression that is none of these
 */
export function shellWord(js: string, written: Escape = asItIs): string {
  const reader = new Reader(js);
  const word = reader.sum(written);
  reader.end();
  return word;
}

/** The functions of the script that the shell has, too. */
const FUNCTIONS: Readonly<Record<string, string>> = {
  digest: 'digest',
  base64: 'base64_of',
  otherCase: 'other_case',
};

/** The commands that change a text as these methods do. */
const METHODS: Readonly<Record<string, string>> = {
  'toUpperCase()': 'tr a-z A-Z',
  'toLowerCase()': 'tr A-Z a-z',
};

class Reader {
  readonly #js: string;
  #at = 0;

  constructor(js: string) {
    this.#js = js;
  }

  end(): void {
    if (this.#at < this.#js.length) throw this.#unsayable();
  }

  sum(written: Escape): string {
    let word = this.#term(written);
    while (this.#take(/^ \+ /)) word += this.#term(written);
    return word;
  }

  #term(written: Escape): string {
    const literal = this.#take(/^'[^'\\]*'/) ?? this.#take(/^"(?:[^"\\]|\\.)*"/);
    if (literal !== undefined) return shellQuoted(written(textOf(literal)));
    const address = this.#take(/^new URL\('[^'\\]*', [A-Z]+\)/);
    if (address !== undefined) return addressOf(address);
    const length = this.#take(/^invented\(\d+\)/)?.replace(/\D/g, '');
    if (length !== undefined) return `"$(invented ${length})"`;
    const name = this.#take(/^[A-Za-z_]\w*/);
    if (name === undefined) throw this.#unsayable();
    return this.#methods(this.#take(/^\(/) ? this.#called(name) : `"$${name}"`);
  }

  #called(name: string): string {
    const hash = name === 'hashed' && this.#take(/^'sha1', /) !== undefined;
    const command = hash ? 'sha1' : FUNCTIONS[name];
    if (command === undefined) throw this.#unsayable();
    const word = this.sum(asItIs);
    if (!this.#take(/^\)/)) throw this.#unsayable();
    return `"$(${command} ${word})"`;
  }

  #methods(word: string): string {
    const call = this.#take(/^\.\w+\([-\d, ]*\)/)?.slice(1);
    if (call === undefined) return word;
    const command = METHODS[call] ?? sliceOf(call);
    if (command === undefined) throw this.#unsayable();
    return this.#methods(`"$(printf %s ${word} | ${command})"`);
  }

  #take(pattern: RegExp): string | undefined {
    const [found] = pattern.exec(this.#js.slice(this.#at)) ?? [];
    this.#at += found?.length ?? 0;
    return found;
  }

  #unsayable(): Unsayable {
    const [what = 'an expression'] = /^[\w.]+/.exec(this.#js.slice(this.#at).trim()) ?? [];
    return new Unsayable(`the value of ${this.#js.length > 80 ? what : this.#js}`);
  }
}

const textOf = (literal: string): string =>
  literal.startsWith("'") ? literal.slice(1, -1) : JSON.parse(literal);

/** The command that prints a part of its input. */
function sliceOf(call: string): string | undefined {
  const [, from, until] = /^slice\((-?\d+)(?:, (-?\d+))?\)$/.exec(call)?.map(Number) ?? [];
  if (from === undefined || until === undefined) return undefined;
  if (from < 0 && Number.isNaN(until)) return `sed 's/.*\\(.\\{${-from}\\}\\)$/\\1/'`;
  if (from === 0 && until < 0) return `sed 's/.\\{${-until}\\}$//'`;
  if (from < 0 || until < 0) return undefined;
  return `cut -c${from + 1}-${Number.isNaN(until) ? '' : until}`;
}

function addressOf(text: string): string {
  const [, path = '', base = ''] = /^new URL\('([^']*)', (\w+)\)$/.exec(text) ?? [];
  return `"$(origin "$${base}")"${shellQuoted(path)}`;
}
