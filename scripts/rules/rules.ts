/**
 * The project's own rules, which the linter cannot say: on titles of tests, on tests that mock modules, on
 * imports between rooms, and that time and randomness are parameters.
 */

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import {
  isCode,
  isNode,
  isTest,
  listFiles,
  literalText,
  type Node,
  nameOf,
  parse,
  type Source,
  walk,
} from '../source.ts';
import { FILES_APART } from '../test/files-apart.ts';

type Finding = {
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  readonly message: string;
};

/** Reports each node that `look` has something to say about. */
function findNodes(
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
function testTitlesRule(source: Source): Finding[] {
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
const APART_REMEDY = 'add this file to FILES_APART in scripts/test/files-apart.ts';

/** Reports each mocked module, and each test file that is loaded by another, outside of `FILES_APART`. */
function testsApartRule(source: Source): Finding[] {
  if (!isTest(source.file) || FILES_APART.includes(source.file)) return [];
  return findNodes(source, (node) => {
    const what = sharedChange(node);
    return what && `${what} reaches the test files that share the process: ${APART_REMEDY}.`;
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
function roomsRule(source: Source): Finding[] {
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

/** Members of global objects that read the time or make randomness. */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  Date: ['now'],
  Math: ['random'],
  performance: ['now', 'timeOrigin'],
  process: ['hrtime', 'uptime'],
  crypto: ['getRandomValues', 'randomUUID', 'randomBytes', 'randomInt', 'randomFillSync'],
};
const TIMERS = ['setTimeout', 'setInterval'];
const GLOBALS = ['globalThis', 'window', 'self', 'global'];
/** Helpers that tests must not use: a test advances the clock that it passed in. */
const TEST_HELPERS = ['useFakeTimers', 'setSystemTime', 'waitForTimeout'];
const MODULES: Readonly<Record<string, readonly string[] | 'all'>> = {
  timers: 'all',
  'timers/promises': 'all',
  perf_hooks: 'all',
  crypto: MEMBERS.crypto as readonly string[],
};

const REMEDY = 'take a Clock or a Random as a parameter instead';

function clockRule(source: Source): Finding[] {
  if (isExempt(source.file)) return [];
  return findNodes(source, (node, parent) => {
    const what = readBy(node, parent);
    return what && `${what}: ${REMEDY}.`;
  });
}

/** Exempt are programs, both wrapping modules, tooling, example servers, and benchmarks but their tests. */
function isExempt(file: string): boolean {
  return (
    /(?:^|\/)main\.tsx?$/.test(file) ||
    ['protocol/time/clock.ts', 'protocol/time/random.ts'].includes(file) ||
    /^(?:demo|scripts)\//.test(file) ||
    file.startsWith('conformance/examples/') ||
    (file.startsWith('lab/bench/') && !isTest(file)) ||
    /^[^/]+\.config\.ts$/.test(file)
  );
}

function readBy(node: Node, parent: Node | undefined): string | undefined {
  switch (node.type) {
    case 'NewExpression':
      return globalName(node.callee) === 'Date' && (node.arguments as Node[]).length === 0
        ? 'new Date()'
        : undefined;
    case 'CallExpression':
      return globalName(node.callee) === 'Date' ? 'Date()' : undefined;
    case 'MemberExpression':
      return member(globalName(node.object), nameOf(node.property));
    case 'VariableDeclarator':
      return destructured(node);
    case 'ImportDeclaration':
      return imported(node);
    case 'Identifier':
      return TIMERS.includes(node.name as string) && isReference(node, parent)
        ? (node.name as string)
        : undefined;
    default:
      return undefined;
  }
}

/** `Date` for both `Date` and `globalThis.Date`. */
function globalName(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === 'Identifier') return node.name as string;
  const viaGlobal = node.type === 'MemberExpression' && GLOBALS.includes(nameOf(node.object) ?? '');
  return viaGlobal ? nameOf(node.property) : undefined;
}

function member(object: string | undefined, property: string | undefined): string | undefined {
  if (property === undefined) return undefined;
  if (TEST_HELPERS.includes(property)) return property;
  if (object === undefined) return undefined;
  if (GLOBALS.includes(object)) return TIMERS.includes(property) ? `${object}.${property}` : undefined;
  return Object.hasOwn(MEMBERS, object) && MEMBERS[object]?.includes(property)
    ? `${object}.${property}`
    : undefined;
}

/** `const { now } = Date` */
function destructured(node: Node): string | undefined {
  const pattern = node.id as Node;
  if (pattern.type !== 'ObjectPattern') return undefined;
  const keys = (pattern.properties as Node[]).map((property) => nameOf(property.key));
  return keys.map((key) => member(globalName(node.init), key)).find((what) => what !== undefined);
}

function imported(node: Node): string | undefined {
  const module = nameOf(node.source)?.replace(/^node:/, '') ?? '';
  const banned = Object.hasOwn(MODULES, module) ? MODULES[module] : undefined;
  if (banned === undefined) return undefined;
  if (banned === 'all') return `an import of ${module}`;
  const names = (node.specifiers as Node[]).map((specifier) => nameOf(specifier.imported));
  return names.find((name) => name !== undefined && banned.includes(name));
}

/** Tells whether an identifier is a value, not the name of a member, a property or a type. */
function isReference(node: Node, parent: Node | undefined): boolean {
  if (!parent || parent.type === 'TSTypeQuery') return false;
  if (parent.type === 'MemberExpression') return parent.object === node || parent.computed === true;
  if (parent.type === 'Property' && parent.key === node) return parent.computed === true;
  return ![
    'TSPropertySignature',
    'TSMethodSignature',
    'MethodDefinition',
    'PropertyDefinition',
    'ImportSpecifier',
  ].includes(parent.type);
}

const rules = [clockRule, roomsRule, testTitlesRule, testsApartRule];

export function checkFile(file: string, text: string): Finding[] {
  const source = parse(file, text);
  return rules.flatMap((rule) => rule(source));
}

export function checkRules(directory: string): Finding[] {
  return listFiles(directory)
    .filter(isCode)
    .flatMap((file) => checkFile(file, readFileSync(join(directory, file), 'utf8')));
}
