/** The test files of the end-to-end flows, and their order for a reader. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '#scripts/set-up/set-up.mjs';
import type { FlowResult } from '../report/flow-result.ts';

/** What `npm run e2e` plays, in the order of a reader. The other tests in `e2e/` are of the harness. */
const PLAYED = ['flows', 'browser', 'threats'].map((folder) => join('e2e', folder));

/** Absolute paths of the flows whose path contains one of `parts`; of all when there are none. */
export function flowFiles(ending: '.test.ts' | '.spec.ts', parts: readonly string[]): string[] {
  return PLAYED.flatMap((folder) => readdirSync(join(root, folder)).map((name) => join(folder, name)))
    .filter((path) => path.endsWith(ending))
    .filter((path) => parts.length === 0 || parts.some((part) => path.includes(part)))
    .map((path) => join(root, path));
}

/** Sorts for a reader, within a file as in the source: the tests run in any order. */
export function inOrder<R extends FlowResult>(results: readonly R[]): R[] {
  const rank = (file: string) => PLAYED.findIndex((folder) => file.startsWith(folder));
  return results.toSorted(
    (a, b) =>
      rank(a.file) - rank(b.file) ||
      a.file.localeCompare(b.file) ||
      a.place - b.place ||
      a.title.localeCompare(b.title),
  );
}
