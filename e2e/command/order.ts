/** The order of the tests for a reader. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '#scripts/set-up/set-up.mjs';
import { flows } from '../flows/index.ts';

/**
 * Sorts for a reader: first the flows, then the browser, then the rest. Within a file the order is that of
 * the source, because tests run in any order.
 */
export function inOrder<R extends { readonly file: string; readonly title: string }>(results: readonly R[]): R[] {
  const starts = ['e2e/flows/', 'e2e/browser/', 'e2e/scripted/', ''];
  const rank = (file: string) => starts.findIndex((start) => file.startsWith(start));
  const sources = new Map(results.map(({ file }) => [file, sourceOf(join(root, file))]));
  const place = ({ file, title }: R) => placeOf(title.split(' > ').at(-1) ?? '', sources.get(file) ?? '');
  return [...results].sort(
    (a, b) =>
      rank(a.file) - rank(b.file) ||
      a.file.localeCompare(b.file) ||
      place(a) - place(b) ||
      a.title.localeCompare(b.title),
  );
}

function sourceOf(file: string): string {
  // Its tests are the flows of the list.
  if (file.endsWith('flows/flows.test.ts')) return flows.map(({ name, sentence }) => `${name}: ${sentence}`).join('\n');
  return existsSync(file) && file.endsWith('.ts') ? readFileSync(file, 'utf8') : '';
}

/**
 * Returns the position of a title in a source. For a title made at run time, returns that of its longest
 * known beginning.
 */
function placeOf(title: string, source: string): number {
  for (let length = title.length; length > 0; length--) {
    const at = source.indexOf(title.slice(0, length));
    if (at >= 0) return at;
  }
  return source.length;
}
