/** Every test runs: no test is skipped, run alone, expected to fail or left for later. */
import { isNode, isTest, type Node, nameOf, type Source } from '../source.ts';
import { type Finding, findNodes } from './finding.ts';

/** The functions that register tests, and groups of them. */
export const RUNNERS = ['test', 'it', 'describe', 'suite', 'bench', 'proves', 'claims', 'onEachStore'];
const MARKS = ['only', 'skip', 'skipIf', 'runIf', 'todo', 'fixme', 'fails', 'fail'];
const OPTIONS = ['only', 'skip', 'todo', 'fails'];
const SHORT = ['xit', 'xtest', 'xdescribe', 'fit', 'ftest', 'fdescribe'];

/** Reports each test that is marked not to run, or to run alone. */
export function testsRunRule(source: Source): Finding[] {
  if (!isTest(source.file)) return [];
  return findNodes(source, (node) => {
    const mark = markIn(node);
    return mark && `${mark}: let every test run, or delete it.`;
  });
}

function markIn(node: Node): string | undefined {
  if (node.type === 'MemberExpression') {
    const mark = nameOf(node.property) ?? '';
    return MARKS.includes(mark) && RUNNERS.includes(rootName(node) ?? '') ? `.${mark}` : undefined;
  }
  if (node.type === 'CallExpression') {
    const name = nameOf(node.callee) ?? '';
    return SHORT.includes(name) ? name : undefined;
  }
  // As in `test('…', { skip: true }, …)`.
  const isOption = node.type === 'Property' && OPTIONS.includes(nameOf(node.key) ?? '');
  return isOption && (node.value as Node).value === true ? `${nameOf(node.key)} as an option` : undefined;
}

/** Returns the name at the root of a chain: `test` for `test.describe.only`. */
export function rootName(node: unknown): string | undefined {
  let at = node;
  while (isNode(at) && (at.type === 'MemberExpression' || at.type === 'CallExpression'))
    at = at.type === 'CallExpression' ? at.callee : at.object;
  return nameOf(at);
}
