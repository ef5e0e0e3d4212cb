/**
 * Finds which test proves which requirement or shows which claim, from the sources without running them, and
 * whether a test that its section names shows each claim of `SECURITY.md`.
 */
import { isTest, literalText, type Node, nameOf, type Source, walk } from '#scripts/source.ts';

export type Citation = { readonly id: string; readonly file: string; readonly title: string };

export type Citations = {
  readonly citations: Citation[];
  /** What cannot be read, one sentence each with file and line. */
  readonly problems: string[];
};

/** Tells whether a text names the function that cites. Any other need not be parsed. */
export function mayCite(text: string): boolean {
  return /\bproves\b/.test(text);
}

/** Strict, so that no test seems to prove what it does not: literal ids and title, in a test file. */
export function readCitations(source: Source): Citations {
  const citations: Citation[] = [];
  const problems: string[] = [];
  walk(source.program, (node, parent) => {
    if (node.type !== 'Identifier' || node.name !== 'proves' || !parent) return;
    if (isDeclaration(parent, node) || isHandedOn(parent)) return;
    const wrong = misuse(source.file, node, parent) ?? readCall(source.file, parent, citations);
    if (wrong !== undefined) problems.push(`${source.file}:${source.lineOf(node.start)} ${wrong}`);
  });
  return { citations, problems };
}

function misuse(file: string, node: Node, parent: Node): string | undefined {
  if (isRenamed(parent)) return 'proves must keep its name where it is imported or exported.';
  if (parent.type !== 'CallExpression' || parent.callee !== node) return 'proves must be called directly.';
  return isTest(file) ? undefined : 'proves must be called in a test file (*.test.ts or *.spec.ts).';
}

function readCall(file: string, call: Node, citations: Citation[]): string | undefined {
  const [list, title] = call.arguments as Node[];
  const ids = literalIds(list);
  const text = literalText(title);
  if (!ids) return 'the first argument of proves must be a literal list of one or more ids.';
  if (text === undefined) return 'the second argument of proves must be a literal title.';
  citations.push(...ids.map((id) => ({ id, file, title: text })));
  return undefined;
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

export const THREATS_PAGE = 'SECURITY.md';

type Claim = { readonly id: string; readonly line: number; readonly section: string };

/** Tells whether the id that a test names is a claim of the threat model, and not a requirement. */
export function isClaim({ id }: Citation): boolean {
  return id.startsWith('T-');
}

/** Lists what is wrong with the claims. A claim is an item of a list that begins with its id. */
export function claimProblems(text: string, citations: readonly Citation[]): string[] {
  const claimed = claimsOf(text);
  const at = ({ id, line }: Claim) => `${THREATS_PAGE}:${line} the claim ${id}`;
  const find = (wanted: string) => claimed.findLast(({ id }) => id === wanted);
  return [
    ...claimed.filter((claim) => find(claim.id) !== claim).map((claim) => `${at(claim)} stands here twice.`),
    ...claimed
      .filter(({ id }) => !citations.some((citation) => citation.id === id))
      .map((claim) => `${at(claim)} is shown by no test.`),
    ...citations.flatMap(({ id, file, title }) => {
      const claim = find(id);
      if (!claim) return [`${file}: "${title}" cites ${id}, and ${THREATS_PAGE} makes no such claim.`];
      const isLinked = claim.section.includes(`](${file})`);
      return isLinked ? [] : [`${at(claim)} has a test in ${file}, which its section does not link.`];
    }),
  ];
}

/** Returns every claim with the whole text of its section, down to the next heading. */
function claimsOf(text: string): Claim[] {
  const found: Claim[] = [];
  let line = 1;
  for (const section of text.split(/^(?=#)/m)) {
    for (const [index, row] of section.split('\n').entries()) {
      const id = /^- `(T-[^`]*)` /.exec(row)?.[1];
      if (id !== undefined) found.push({ id, line: line + index, section });
    }
    line += section.split('\n').length - 1;
  }
  return found;
}
