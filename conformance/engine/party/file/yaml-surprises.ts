/** What people type as a value and YAML reads as something else, with the remedy: quotes. */
import { type Document, isAlias, isMap, isScalar, isSeq } from 'yaml';
import type { Path, Problem } from './problem.ts';

const QUOTES = 'Put the value in quotes.';

/** What the parser says of such a value, by its code. */
const REMEDIES: Readonly<Record<string, string>> = {
  BAD_ALIAS: QUOTES,
  BAD_SCALAR_START: QUOTES,
  BLOCK_AS_IMPLICIT_KEY: 'A value with ": " in it must stand in quotes.',
  MISSING_CHAR: 'A value that begins with a quote must end with it.',
  TAB_AS_INDENT: 'Indent with blanks.',
  TAG_RESOLVE_FAILED: 'A value that begins with ! must stand in quotes.',
  UNEXPECTED_TOKEN: 'If it belongs to a value, put the whole value in quotes.',
};

const FLOW = 'A value that begins with [ or { is a list or a section: otherwise put it in quotes.';

/** What the parser found wrong, without the value, which may be a secret, and with the remedy. */
export function sentenceOfFault(code: string, message: string): string {
  const remedy = REMEDIES[code] ?? (message.startsWith('Flow') ? FLOW : undefined);
  const said = message.replace(/: [|>!].*$/s, '').replace(/ at line \d[\s\S]*$/, '');
  return remedy === undefined ? `${said}.` : `${said}. ${remedy}`;
}

/** Members whose numbers are sent as they are read. */
const FREE = new Set<PropertyKey>(['json', 'params', 'equals']);
/** Values that nothing else examines. */
const SECRETS = new Set<PropertyKey>(['password', 'code']);

/** Values that the schema takes and that are not what was typed. */
export function surprisesIn(document: Document): Problem[] {
  return surprisesOf(document.contents, [], false);
}

function surprisesOf(node: unknown, path: Path, isFree: boolean): Problem[] {
  if (isAlias(node)) return [];
  if (isMap(node))
    return node.items.flatMap(({ key, value }) => {
      const name = isScalar(key) ? String(key.value) : '';
      return surprisesOf(value, [...path, name], isFree || FREE.has(name));
    });
  if (isSeq(node)) return node.items.flatMap((item, index) => surprisesOf(item, [...path, index], isFree));
  if (!isScalar(node)) return [];
  const { value, source, comment } = node;
  const problem = (sentence: string): Problem[] => [{ path, at: 'value', sentence }];
  if (isFree && typeof value === 'number' && String(value) !== source)
    return problem(
      `is read as the number ${value}. Write ${value}, or put it in quotes: ${JSON.stringify(source)}`,
    );
  if (SECRETS.has(path.at(-1) ?? '') && isCut(comment)) return problem(`ends before #. ${CUT}`);
  return [];
}

/** Whether a comment looks like the rest of the value: no blank follows its #. */
export const isCut = (comment: string | null | undefined): boolean => /^\S/.test(comment ?? '');

export const CUT = '# begins a comment in YAML: put it in quotes.';
