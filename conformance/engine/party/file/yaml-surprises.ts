/** Finds values in an adapter file that YAML reads otherwise than the author meant. The remedy is quotes. */
import { type Document, isAlias, isMap, isScalar, isSeq } from 'yaml';
import type { Path, Problem } from './problem.ts';

const QUOTES = 'Put the value in quotes.';

/** What the author should do. Key: the code of the parser's error. */
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

/**
 * Makes a sentence of an error of the parser, with the remedy. Removes the value, which may be a secret, from
 * the parser's message.
 */
export function sentenceOfFault(code: string, message: string): string {
  const remedy = REMEDIES[code] ?? (message.startsWith('Flow') ? FLOW : undefined);
  const said = message.replace(/: [|>!].*$/s, '').replace(/ at line \d[\s\S]*$/, '');
  return remedy === undefined ? `${said}.` : `${said}. ${remedy}`;
}

/** Sections whose values are sent to the server. A number there is sent as YAML reads it. */
const FREE = new Set<PropertyKey>(['json', 'params', 'equals']);
/** Keys whose value may be any text, so that no schema notices a part that is missing. */
const SECRETS = new Set<PropertyKey>(['password', 'code']);

/** Finds values that the schema would accept, but that are not what the author typed. */
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

/** Whether a comment is probably the rest of a value: no blank follows its `#`. */
export const isCut = (comment: string | null | undefined): boolean => /^\S/.test(comment ?? '');

/** The remedy for a value that a comment cuts off. */
export const CUT = '# begins a comment in YAML: put it in quotes.';
