/** The test files of the end-to-end flows. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '#scripts/set-up/set-up.mjs';

/** What `npm run e2e` plays. The other tests in `e2e/` are of the kit, the documents and the harness. */
const PLAYED = ['flows', 'scripted', 'threats', 'browser'] as const;

/** `.test.ts` files are run by vitest, `.spec.ts` files by Playwright. */
type Ending = '.test.ts' | '.spec.ts';

/**
 * Returns the absolute paths of the flows whose path in the project contains one of `parts`, or of all when
 * there are none.
 */
export function flowFiles(ending: Ending, parts: readonly string[]): string[] {
  return PLAYED.flatMap((folder) => readdirSync(join(root, 'e2e', folder)).map((name) => join('e2e', folder, name)))
    .filter((path) => path.endsWith(ending))
    .filter((path) => parts.length === 0 || parts.some((part) => path.includes(part)))
    .map((path) => join(root, path));
}
