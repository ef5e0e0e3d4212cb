/** The title of a test is a sentence that a reader takes in at a glance. */
import { isTest, literalText, type Node, type Source } from '../source.ts';
import { type Finding, findNodes } from './finding.ts';
import { RUNNERS, rootName } from './tests-run.ts';

const MAX_TITLE_WORDS = 14;

/** Reports titles of tests and of their groups that are longer. A value filled in is one word. */
export function testTitlesRule(source: Source): Finding[] {
  if (!isTest(source.file)) return [];
  return findNodes(source, (node) => {
    if (node.type !== 'CallExpression' || !RUNNERS.includes(rootName(node.callee) ?? '')) return undefined;
    const title = (node.arguments as Node[]).map(literalText).find((text) => text !== undefined);
    const words = title?.trim().split(/\s+/).length ?? 0;
    if (words <= MAX_TITLE_WORDS) return undefined;
    return `A title of ${words} words: say it in ${MAX_TITLE_WORDS}, subject first.`;
  });
}
