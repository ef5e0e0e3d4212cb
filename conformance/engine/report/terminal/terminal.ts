/** Writes for terminals: colours where wanted, lines that fit, no control characters from the wire. */
import { stripVTControlCharacters, styleText } from 'node:util';
import type { Outcome } from '../../check/verdict.ts';
import { outcomeSigns } from '../words.ts';

/** The target of the lines; `process.stdout` is one. */
export type Screen = {
  write(text: string): unknown;
  readonly columns?: number | undefined;
  readonly isTTY?: boolean | undefined;
};

export type Environment = Readonly<Record<string, string | undefined>>;

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** Puts styles on a text, or leaves it unchanged. */
export type Paint = (style: Style | readonly Style[], text: string) => string;

/** Colours on a terminal only, unless it is a dumb one or NO_COLOR has a value (no-color.org). */
export function paintFor({ isTTY = false }: Pick<Screen, 'isTTY'>, env: Environment): Paint {
  const plain = !isTTY || (env.NO_COLOR ?? '') !== '' || env.TERM === 'dumb';
  // The given screen decides about colours, not the process's own.
  const options = { validateStream: false };
  return (style, text) =>
    plain ? text : styleText(typeof style === 'string' ? style : [...style], text, options);
}

/** A readable line width that fits the screen. */
export function widthOf({ columns = 80 }: Pick<Screen, 'columns'>): number {
  return Math.max(40, Math.min(columns, 100));
}

/** Breaks a text into lines of at most `width` characters; splits longer words. */
export function wrap(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => wrapLine(line, width));
}

/** Puts the first line behind `head`, the others below it. */
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

function wrapLine(line: string, width: number): string[] {
  const lines: string[] = [];
  let current = '';
  for (const word of line.split(' ').flatMap((part) => pieces(part, width))) {
    if (current !== '' && current.length + 1 + word.length > width) {
      lines.push(current);
      current = word;
    } else current = current === '' ? word : `${current} ${word}`;
  }
  return [...lines, current];
}

function pieces(word: string, width: number): string[] {
  if (word.length <= width) return [word];
  const chars = [...word];
  return Array.from({ length: Math.ceil(chars.length / width) }, (_, index) =>
    chars.slice(index * width, (index + 1) * width).join(''),
  );
}

export type TextOptions = {
  paint: Paint;
  width: number;
  /** Where the other forms of the report are. */
  paths?: readonly string[];
};

/** The sign of an outcome, in its colour. */
export function signed(outcome: Outcome, paint: Paint): string {
  return paint(COLOURS[outcome], outcomeSigns[outcome]);
}

const COLOURS = {
  pass: 'green',
  warning: 'yellow',
  'not applicable': 'dim',
  fail: 'red',
  inconclusive: 'red',
} as const;

export function heading(text: string, width: number): string {
  return `── ${text} ${'─'.repeat(Math.max(0, width - text.length - 4))}`;
}
