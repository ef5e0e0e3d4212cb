/** The project's own rules on titles of tests, on tests that mock modules, and on imports between rooms. */
import { dirname, join } from 'node:path/posix';
import { isNode, isTest, literalText, type Node, nameOf, type Source, walk } from '../source.ts';
import { FILES_APART } from '../test/files-apart.ts';

export type Finding = {
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  readonly message: string;
};

/** Reports each node that `look` has something to say about. */
export function findNodes(
  { file, program, lineOf }: Source,
  look: (node: Node, parent: Node | undefined) => string | undefined,
): Finding[] {
  const found: Finding[] = [];
  walk(program, (node, parent) => {
    const message = look(node, parent);
    if (message !== undefined) found.push({ file, line: lineOf(node.start), message });
  });
  return found;
}

/** The functions that register tests, and groups of them. */
const RUNNERS = ['test', 'it', 'describe', 'suite', 'bench', 'proves', 'onEachStore'];
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

/** Returns the name at the root of a chain: `test` for `test.describe.only`. */
function rootName(node: unknown): string | undefined {
  let at = node;
  while (isNode(at) && (at.type === 'MemberExpression' || at.type === 'CallExpression'))
    at = at.type === 'CallExpression' ? at.callee : at.object;
  return nameOf(at);
}

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

/** Reports relative imports that leave their room. `biome.json` says which room may import which. */
export function roomsRule(source: Source): Finding[] {
  const { file } = source;
  const room = roomOf(file);
  return findNodes(source, (node) => {
    const target = nameOf(node.source);
    if (room === '' || !target?.startsWith('.') || roomOf(join(dirname(file), target)) === room)
      return undefined;
    return `${target} leaves the room: import it as #room/file.ts.`;
  });
}

function roomOf(file: string): string {
  return file.includes('/') ? (file.split('/')[0] as string) : '';
}
