/** Formats texts for a terminal: colours where they are wanted, and lines that fit its width. */
import { stripVTControlCharacters, styleText } from 'node:util';
import type { Outcome } from '../../check/verdict.ts';
import { harmless, inOneLine } from '../../harmless.ts';
import type { Env } from '../../party/file/fields.ts';
import { outcomeSigns } from '../words.ts';

/** Where lines are written, such as `process.stdout`. `columns` is the width in characters. */
export type Screen = {
  write(text: string): unknown;
  readonly columns?: number | undefined;
  readonly isTTY?: boolean | undefined;
};

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow';

/** Puts styles on a text, or leaves it unchanged. */
export type Paint = (style: Style | readonly Style[], text: string) => string;

/** How a text for a terminal is written. `width` is in characters. */
export type TextOptions = {
  paint: Paint;
  width: number;
  /** Lines that say where the other forms of the report are. */
  paths?: readonly string[];
};

/** Colours texts on a terminal, but not where TERM is `dumb` or NO_COLOR has a value (no-color.org). */
export function paintFor({ isTTY = false }: Pick<Screen, 'isTTY'>, env: Env): Paint {
  const plain = !isTTY || (env.NO_COLOR ?? '') !== '' || env.TERM === 'dumb';
  // The given screen decides about colours. By default, `styleText` asks the streams of the process.
  const options = { validateStream: false };
  return (style, words) => {
    const text = harmless(words);
    return plain ? text : styleText(typeof style === 'string' ? style : [...style], text, options);
  };
}

/** The width of lines: that of the screen, between 40 and 100 characters, which are easy to read. */
export function widthOf({ columns = 80 }: Pick<Screen, 'columns'>): number {
  return Math.max(40, Math.min(columns, 100));
}

/** Breaks a text, whose own line breaks do not count, into lines of at most `width` characters. Splits longer words. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let current = '';
  const pieces = new RegExp(`.{1,${width}}`, 'gsu');
  for (const word of inOneLine(text)
    .split(' ')
    .flatMap((part) => part.match(pieces) ?? [''])) {
    if (current !== '' && current.length + 1 + word.length > width) {
      lines.push(current);
      current = word;
    } else current = current === '' ? word : `${current} ${word}`;
  }
  // A word that was harmless within its line may begin another one.
  return [...lines, current].map(harmless);
}

/** Breaks a text into lines, the first behind `head`, the others indented by its width. */
export function hanging(head: string, text: string, width: number): string[] {
  const indent = stripVTControlCharacters(head).length;
  const lines = wrap(text, Math.max(20, width - indent));
  return lines.map((line, index) => (index === 0 ? head : ' '.repeat(indent)) + line);
}

/** Cuts a text to `limit` characters; a cut text ends with an ellipsis. */
export function cut(text: string, limit: number): string {
  const chars = [...text];
  return chars.length <= limit ? text : `${chars.slice(0, limit - 1).join('')}…`;
}

export function paintedSign(outcome: Outcome, paint: Paint): string {
  return paint(COLOURS[outcome], outcomeSigns[outcome]);
}

const COLOURS = {
  pass: 'green',
  warning: 'yellow',
  'not applicable': 'dim',
  fail: 'red',
  inconclusive: 'red',
} as const;

/** A heading, followed by a line up to `width`. */
export function heading(text: string, width: number): string {
  return `── ${text} ${'─'.repeat(Math.max(0, width - text.length - 4))}`;
}
