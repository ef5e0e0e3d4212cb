/** HTML with texts escaped by construction: data from the wire can only become text. */
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
 * Builds markup. Escapes every value that is not markup itself, for texts and for quoted attributes.
 * @example html`<p title="${title}">${text}</p>`
 */
export function html(strings: TemplateStringsArray, ...values: readonly Content[]): Markup {
  return new Markup(strings.reduce((text, part, index) => text + textOf(values[index - 1]) + part));
}

/** Capitalizes the beginning of a sentence. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Marks our own text as safe, such as a style sheet or a script. Never use it for anything from outside. */
export function trusted(text: string): Markup {
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
