/** HTML whose texts are escaped by construction: what comes from the wire can be nothing but text. */
import { harmless } from '../words.ts';

/** A piece of HTML that is known to be safe. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type Content = Markup | string | number | false | undefined | readonly Content[];

/**
 * Builds markup; every value that is not markup itself is escaped, for texts and for quoted attributes alike.
 * @example html`<p title="${title}">${text}</p>`
 */
export function html(strings: TemplateStringsArray, ...values: readonly Content[]): Markup {
  return new Markup(strings.reduce((text, part, index) => text + textOf(values[index - 1]) + part));
}

/** A text of our own that goes into the page as it is: a style sheet, a script. Never anything from outside. */
export function ourOwn(text: string): Markup {
  return new Markup(text);
}

function textOf(value: Content): string {
  if (value instanceof Markup) return value.text;
  if (typeof value === 'string') return escapeHtml(value);
  if (typeof value === 'number') return String(value);
  if (value === undefined || value === false) return '';
  return value.map(textOf).join('');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return harmless(text).replace(/[&<>"']/g, (char) => ENTITIES[char] as string);
}
