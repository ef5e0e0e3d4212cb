/** Time and randomness are parameters: `main.ts` files and two wrapping modules read the machine's. */
import { isNode, isTest, type Node, nameOf, type Source } from '../source.ts';
import { type Finding, findNodes } from './rules.ts';

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

export function clockRule(source: Source): Finding[] {
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
