/** For tests: reads the commands of docs/judge.md, so that the tests run what the page tells. */
import { readFileSync } from 'node:fs';

/** The page as it is in git. */
export const judgePage = readFileSync(new URL('../../docs/judge.md', import.meta.url), 'utf8');

/** Returns the commands of the kit below a heading, as words without the program. Examples are local. */
export function commandsBelow(heading: string): string[][] {
  const [, section = ''] = judgePage.split(`\n## ${heading}\n`);
  const [own = ''] = section.split('\n## ');
  return [...own.matchAll(/^npm run conformance -- (.+)$/gm)].map(([, words = '']) => words.split(' '));
}
