/** Every test runs: no test is skipped, run alone, expected to fail or left for later. */
import { isNode, isTest, type Node, nameOf, type Source, walk } from '../source.ts';
import type { Finding } from './finding.ts';

const RUNNERS = ['test', 'it', 'describe', 'suite', 'bench', 'proves', 'claims'];
const MARKS = ['only', 'skip', 'skipIf', 'runIf', 'todo', 'fixme', 'fails', 'fail'];
const SHORT = ['xit', 'xtest', 'xdescribe', 'fit', 'ftest', 'fdescribe'];

/** Reports each test that is marked not to run, or to run alone. */
export function testsRunRule(source: Source): Finding[] {
  if (!isTest(source.file)) return [];
  const found: Finding[] = [];
  const report = (node: Node, what: string) =>
    found.push({
      file: source.file,
      line: source.lineOf(node.start),
      message: `${what}: let every test run, or delete it.`,
    });
  walk(source.program, (node) => {
    if (node.type === 'MemberExpression' && RUNNERS.includes(rootName(node) ?? '')) {
      const mark = nameOf(node.property);
      if (mark !== undefined && MARKS.includes(mark)) report(node, `.${mark}`);
    }
    if (node.type === 'CallExpression' && SHORT.includes(nameOf(node.callee) ?? ''))
      report(node, nameOf(node.callee) as string);
    if (node.type === 'Property' && isOption(node)) report(node, `${nameOf(node.key)} as an option`);
  });
  return found;
}

/** Tells whether a property marks a test, as in `test('…', { skip: true }, …)`. */
function isOption(node: Node): boolean {
  const key = nameOf(node.key);
  const value = node.value as Node;
  return (
    key !== undefined &&
    ['only', 'skip', 'todo', 'fails'].includes(key) &&
    value.type === 'Literal' &&
    value.value === true
  );
}

/** Returns the name at the root of a chain: `test` for `test.describe.only`. */
function rootName(node: unknown): string | undefined {
  let at = node;
  while (isNode(at) && (at.type === 'MemberExpression' || at.type === 'CallExpression'))
    at = at.type === 'CallExpression' ? at.callee : at.object;
  return nameOf(at);
}
