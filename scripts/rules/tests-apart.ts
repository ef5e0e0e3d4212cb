/** A test file that changes modules for others runs in a process of its own. */
import { isTest, type Node, nameOf, type Source } from '../source.ts';
import { FILES_APART } from '../test/files-apart.ts';
import { type Finding, findNodes } from './finding.ts';

const MOCKS = ['mock', 'doMock', 'resetModules'];
const REMEDY = 'add this file to FILES_APART in scripts/test/files-apart.ts';

/** Reports each mocked module, and each test file that is loaded by another, outside of `FILES_APART`. */
export function testsApartRule(source: Source): Finding[] {
  if (!isTest(source.file) || FILES_APART.includes(source.file)) return [];
  return findNodes(source, (node) => {
    const what = sharedChange(node);
    return what && `${what} reaches the test files that share the process: ${REMEDY}.`;
  });
}

function sharedChange(node: Node): string | undefined {
  if (node.type === 'ImportExpression') {
    const { value } = node.source as Node;
    return typeof value === 'string' && isTest(value) ? 'A test file that is loaded once more' : undefined;
  }
  if (node.type !== 'CallExpression') return undefined;
  const callee = node.callee as Node;
  const isMock =
    callee.type === 'MemberExpression' &&
    nameOf(callee.object) === 'vi' &&
    MOCKS.includes(nameOf(callee.property) ?? '');
  return isMock ? 'A mocked module' : undefined;
}
