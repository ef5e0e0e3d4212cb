/** The Markdown elements of the generated pages. */
import { pathOf } from '#protocol/site.ts';

/** Formats a table. Cells may contain inline Markdown, and line breaks as `<br>`. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

export function code(text: string): string {
  return `\`${text}\``;
}

/** Formats a link. A text that leads nowhere stays a text. */
export function link(text: string, to: string | undefined): string {
  if (to === undefined) return text;
  return `[${text.replaceAll('[', '\\[').replaceAll(']', '\\]')}](${to})`;
}

/** Formats the places of a clause, `§4.1, decision 9`, with a link for each that has a page. */
export function places(clause: string): string {
  return clause
    .split(', ')
    .map((text) => link(text, pathOf.place(text)))
    .join(', ');
}

export function jsonBlock(value: unknown): string {
  return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
}

/** Joins blocks with an empty line between them, and ends with a line break. */
export function page(...blocks: readonly string[]): string {
  return `${blocks.join('\n\n')}\n`;
}

/** Returns the anchor of a heading, as GitHub creates it. */
export function slug(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
