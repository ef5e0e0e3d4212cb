/** Only one file loads better-sqlite3: the one that checks that the installed module fits this Node. */
import { isNode, type Node, nameOf, type Source } from '../source.ts';
import { type Finding, findNodes } from './finding.ts';

const MODULE = 'better-sqlite3';

/**
 * `scripts/set-up/native-module.mjs` runs before anything is installed, so it loads the module in its own
 * process.
 */
const LOADERS = ['service/sqlite.ts', 'scripts/set-up/native-module.mjs'];

/** Reports each place that loads the module. Its types may be imported anywhere. */
export function sqliteRule(source: Source): Finding[] {
  if (LOADERS.includes(source.file)) return [];
  const message = `${MODULE} is loaded by service/sqlite.ts alone: use openSqlite.`;
  return findNodes(source, (node) => (isLoaded(node) ? message : undefined));
}

function isLoaded(node: Node): boolean {
  if (node.type === 'ImportDeclaration' || node.type === 'ExportNamedDeclaration')
    return nameOf(node.source) === MODULE && node.importKind !== 'type' && node.exportKind !== 'type';
  if (node.type === 'ImportExpression') return nameOf(node.source) === MODULE;
  if (node.type !== 'CallExpression') return false;
  const [first] = node.arguments as Node[];
  if (nameOf(first) !== MODULE) return false;
  const callee = node.callee as Node;
  const name =
    callee.type === 'MemberExpression' && isNode(callee.property) ? nameOf(callee.property) : nameOf(callee);
  return name === 'require' || name === 'resolve' || name === 'load';
}
