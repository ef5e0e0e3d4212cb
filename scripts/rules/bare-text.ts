/**
 * A text in JSX is the only child of its element. A page translator replaces each text by an element of its
 * own, and React then fails to remove, to move or to change a text that stands elsewhere.
 */
import { isNode, type Node, nameOf, type Source, walk } from '../source.ts';
import type { Finding } from './finding.ts';

const MESSAGE = 'A text that is not the only child of an element: give it one, such as a span.';

/** Reports each text beside other children, directly in a fragment, or returned by a component. */
export function bareTextRule({ file, program, lineOf }: Source): Finding[] {
  if (!file.endsWith('.tsx')) return [];
  const found: Finding[] = [];
  walk(program, (node) => {
    const bare = [...severalChildren(node), ...returnedByComponent(node)].filter(
      (shown) => !isElement(shown),
    );
    found.push(...bare.map(({ start }) => ({ file, line: lineOf(start), message: MESSAGE })));
  });
  return found;
}

/** Returns the children of an element that has several, or of a fragment. */
function severalChildren(node: Node): Node[] {
  const isFragment =
    node.type === 'JSXFragment' ||
    (node.type === 'JSXElement' && nameOf((node.openingElement as Node).name) === 'Fragment');
  if (!isFragment && node.type !== 'JSXElement') return [];
  const children = (node.children as Node[]).filter((child) => !isLayout(child));
  return children.length > 1 || isFragment ? children : [];
}

/** Tells whether a child shows nothing that a translator touches: white space, or a comment. */
function isLayout(child: Node): boolean {
  if (child.type === 'JSXText') return String(child.value).trim() === '';
  const inner = child.type === 'JSXExpressionContainer' ? (child.expression as Node) : child;
  return inner.type === 'JSXEmptyExpression' || nameOf(inner)?.trim() === '';
}

function returnedByComponent(node: Node): Node[] {
  const isComponent = node.type === 'FunctionDeclaration' && /^[A-Z]/.test(nameOf(node.id) ?? '');
  return isComponent ? returnedBy(node.body) : [];
}

/** Returns what a statement and those inside it return. Functions inside it return for themselves. */
function returnedBy(node: unknown): Node[] {
  if (Array.isArray(node)) return node.flatMap(returnedBy);
  if (!isNode(node)) return [];
  if (node.type === 'ReturnStatement') return isNode(node.argument) ? [node.argument] : [];
  return ['body', 'consequent', 'alternate', 'cases', 'block', 'handler'].flatMap((part) =>
    returnedBy(node[part]),
  );
}

/** Tells whether a value is an element or nothing at all, by its form. `children` are taken for one. */
function isElement(node: unknown): boolean {
  if (!isNode(node)) return false;
  switch (node.type) {
    case 'JSXElement':
    case 'JSXFragment':
      return true;
    case 'JSXExpressionContainer':
    case 'ChainExpression':
    case 'ParenthesizedExpression':
      return isElement(node.expression);
    case 'LogicalExpression':
      return isElement(node.right);
    case 'ConditionalExpression':
      return isElement(node.consequent) && isElement(node.alternate);
    case 'ArrowFunctionExpression':
      return isElement(node.body);
    case 'BlockStatement':
      return returnedBy(node).every(isElement);
    case 'CallExpression':
      return nameOf((node.callee as Node).property) === 'map' && isElement((node.arguments as Node[])[0]);
    default:
      return node.value === null || nameOf(node) === 'children';
  }
}
