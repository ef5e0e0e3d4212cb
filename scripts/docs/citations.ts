/** Finds which test proves which requirement or shows which claim, from the sources without running them. */
import { isTest, literalText, type Node, nameOf, type Source, walk } from '../source.ts';

export type Citation = { readonly id: string; readonly file: string; readonly title: string };

export type Citations = {
  readonly citations: Citation[];
  /** What cannot be read, one sentence each with file and line. */
  readonly problems: string[];
};

/** The functions that cite, with the kind of ids that they take. */
const CITING_FUNCTIONS = new Map<unknown, string>([
  ['proves', 'requirement'],
  ['claims', 'claim'],
]);

/** Tells whether a text names a function that cites. Any other need not be parsed. */
export function mayCite(text: string): boolean {
  return /\b(?:proves|claims)\b/.test(text);
}

/** Strict, so that no test seems to prove what it does not: literal ids and title, in a test file. */
export function readCitations(source: Source): Citations {
  const citations: Citation[] = [];
  const problems: string[] = [];
  walk(source.program, (node, parent, outer) => {
    if (node.type !== 'Identifier' || !parent || !isCiting(source, node)) return;
    if (isDeclaration(parent, node) || isHandedOn(parent)) return;
    const wrong =
      misuse(source.file, node, parent) ?? readCall(source.file, node, { call: parent, outer }, citations);
    if (wrong !== undefined) problems.push(`${source.file}:${source.lineOf(node.start)} ${wrong}`);
  });
  return { citations, problems };
}

/** Tells whether a function cites. `claims` is a common word: it counts only from the threat model. */
function isCiting({ text }: Source, { name }: Node): boolean {
  return name === 'proves' || (name === 'claims' && /\bfrom '[^']*\/claims\.ts'/.test(text));
}

function misuse(file: string, node: Node, parent: Node): string | undefined {
  if (isRenamed(parent)) return `${node.name} must keep its name where it is imported or exported.`;
  if (parent.type !== 'CallExpression' || parent.callee !== node)
    return `${node.name} must be called directly.`;
  return isTest(file) ? undefined : `${node.name} must be called in a test file (*.test.ts or *.spec.ts).`;
}

function readCall(
  file: string,
  { name }: Node,
  { call, outer }: { call: Node; outer: Node | undefined },
  citations: Citation[],
): string | undefined {
  const [list, second] = call.arguments as Node[];
  const title = second ?? titleOfDetails(call, outer);
  const ids = literalIds(list);
  const text = literalText(title);
  if (!ids)
    return `the first argument of ${name} must be a literal list of one or more ${CITING_FUNCTIONS.get(name)} ids.`;
  if (text === undefined) return `the second argument of ${name} must be a literal title.`;
  citations.push(...ids.map((id) => ({ id, file, title: text })));
  return undefined;
}

/** Returns the title of the test whose details a call is. */
function titleOfDetails(call: Node, outer: Node | undefined): Node | undefined {
  if (outer?.type !== 'CallExpression' || (outer.callee as Node).name !== 'test') return undefined;
  const [title, details] = outer.arguments as Node[];
  return details === call ? title : undefined;
}

/** Tells whether the name is only declared: `import { proves }`, `export { proves }`, `function proves`. */
function isDeclaration(parent: Node, node: Node): boolean {
  if (parent.type === 'FunctionDeclaration') return parent.id === node;
  return ['ImportSpecifier', 'ExportSpecifier'].includes(parent.type) && !isRenamed(parent);
}

/** Tells whether the name is handed on as it is: `const { proves } = onEachEngine()`. */
function isHandedOn({ type, shorthand }: Node): boolean {
  return type === 'Property' && shorthand === true;
}

function isRenamed({ type, imported, local, exported }: Node): boolean {
  if (type === 'ImportSpecifier') return nameOf(imported) !== nameOf(local);
  return type === 'ExportSpecifier' && nameOf(local) !== nameOf(exported);
}

function literalIds(node: Node | undefined): string[] | undefined {
  if (node?.type !== 'ArrayExpression') return undefined;
  const elements = node.elements as (Node | null)[];
  const ids = elements.map((element) => (element?.type === 'Literal' ? nameOf(element) : undefined));
  return ids.length > 0 && ids.every((id) => id !== undefined) ? ids : undefined;
}
