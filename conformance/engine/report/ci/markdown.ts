import { harmless } from '../words.ts';

/** A text as one line of Markdown that shows it as it is: whatever would be mark-up becomes an entity. */
export function markdownOf(text: string): string {
  return harmless(text)
    .replace(/\s+/g, ' ')
    .replace(/[&<>\\`*_[\]|~#@]/g, (char) => `&#${char.charCodeAt(0)};`);
}
