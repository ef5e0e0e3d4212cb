/** Reads the project's own sources: lists the files, and parses TypeScript into syntax trees. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';

/** A node of the syntax tree (ESTree with TypeScript), of any type. */
export type Node = { type: string; start: number; end: number } & Record<string, unknown>;

export type Source = {
  readonly file: string;
  readonly text: string;
  readonly program: Node;
  readonly comments: readonly { value: string; start: number; end: number }[];
  /** Returns the line of an offset, counted from 1. */
  lineOf(offset: number): number;
};

/** What has no sources of the project: dependencies, built files, data and reports. */
const NOT_OURS = new Set(['node_modules', '.git', 'dist', '.data', 'test-results', 'coverage']);

/** Lists the project's own files below `directory`, as relative paths in alphabetical order. */
export function listFiles(directory: string, below = ''): string[] {
  return readdirSync(join(directory, below), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      // In a worktree of git, .git is a file.
      if (NOT_OURS.has(entry.name)) return [];
      if (entry.isDirectory()) return listFiles(directory, path);
      return entry.isFile() ? [path] : [];
    });
}

/** Tells whether a file is code that {@link parse} can read. */
export function isCode(file: string): boolean {
  return /\.(?:ts|tsx|mts|mjs|js)$/.test(file);
}

/** Tells whether a file is a test: of vitest (`*.test.ts`) or of Playwright (`*.spec.ts`). */
export function isTest(file: string): boolean {
  return /\.(?:test|spec)\.tsx?$/.test(file);
}

/** Parses a file, whose extension selects the language. */
export function parse(file: string, text: string): Source {
  const { program, comments, errors } = parseSync(file, text);
  const [error] = errors;
  if (error) throw new Error(`Failed to parse ${file}: ${error.message}`);
  const breaks = [...text.matchAll(/\n/g)].map((match) => match.index);
  return {
    file,
    text,
    program: program as unknown as Node,
    comments,
    lineOf(offset) {
      const after = breaks.findIndex((at) => at >= offset);
      return (after === -1 ? breaks.length : after) + 1;
    },
  };
}

/** Visits a node and all nodes below it, each with its parent and the parent of that. */
export function walk(node: Node, visit: (node: Node, parent: Node | undefined) => void, parent?: Node): void {
  visit(node, parent);
  // A plain loop: lists of the children of every node would take most of the time of a walk.
  for (const name in node) {
    const value = node[name];
    if (isNode(value)) walk(value, visit, node);
    else if (Array.isArray(value)) for (const child of value) if (isNode(child)) walk(child, visit, node);
  }
}

export function isNode(value: unknown): value is Node {
  return (
    typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'
  );
}

/** Returns the name of an identifier, or the text of a string literal. Undefined for anything else. */
export function nameOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === 'Identifier' || node.type === 'JSXIdentifier') return node.name as string;
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  return undefined;
}

/** Returns the text of a string or template. Values filled in at run time are shown as an ellipsis. */
export function literalText(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === 'Literal') return nameOf(node);
  if (node.type !== 'TemplateLiteral') return undefined;
  return (node.quasis as Node[]).map((part) => (part.value as { cooked: string }).cooked).join('…');
}
