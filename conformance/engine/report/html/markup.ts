/**
 * Builds the HTML of the report from templates. Every value is escaped, so that text of the server under test
 * can never become HTML.
 */
import { harmless } from '../words.ts';

/** A piece of HTML that is safe: its texts are escaped. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/**
 * What a template takes. `false` and `undefined` become nothing, a list becomes its items one after another.
 */
export type Content = Markup | string | number | false | undefined | readonly Content[];

/**
 * Builds HTML. Escapes each value that is not {@link Markup}, so that it can stand in a text or in a quoted
 * attribute.
 * @example html`<p title="${title}">${text}</p>`
 */
export function html(strings: TemplateStringsArray, ...values: readonly Content[]): Markup {
  return new Markup(strings.reduce((text, part, index) => text + textOf(values[index - 1]) + part));
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * Marks a text as safe HTML without escaping it. Only for texts of the kit itself, such as its style sheet;
 * never for what comes from outside.
 */
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
