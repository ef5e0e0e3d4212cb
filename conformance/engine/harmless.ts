/** Makes texts of others safe to write anywhere: what a party says, and files that are read. */

/**
 * Makes a text safe to show: what would act on a terminal, turn the direction of writing, end a line or be
 * obeyed by a build server becomes a visible escape such as `\u001b`. In JSON it stays the same value.
 */
export function harmless(text: string): string {
  return text.toWellFormed().replace(ACTING, escaped);
}

/** Makes a text safe to show in one line: no words in it begin a line of their own. */
export const inOneLine = (text: string): string => harmless(text.replace(/(?<!\s)\s*\n\s*/g, ' '));

/** What a party says, in quotes. */
export const quoted = (text: string): string => `"${inOneLine(text)}"`;

/**
 * Control and format characters but for tab and line feed, line marks, what no document contains, and the
 * beginnings of commands: `::` in GitHub, where a line begins with it, `##[` and `##vso[` elsewhere.
 */
const ACTING = /[^\P{Cc}\t\n]|[\p{Cf}\p{Zl}\p{Zp}\ufffe\uffff]|:(?<=^[^\S\n]*:)(?=:)|#(?=#\w*\[)/gmu;

/** JSON knows escapes of sixteen bits alone. */
const escaped = (char: string): string =>
  Array.from(
    { length: char.length },
    (_, at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');
