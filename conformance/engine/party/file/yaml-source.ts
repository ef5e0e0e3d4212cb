/**
 * Reads the YAML or JSON text of an adapter file. Keeps where each value stands, so that errors can say it.
 */
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Pair,
  parseDocument,
  visit,
} from 'yaml';
import type { FilePosition, Locate, Path, Problem } from './problem.ts';
import { isCut, sentenceOfFault, surprisesIn } from './yaml-surprises.ts';

/** An adapter file that was read. */
export type Source = {
  /** The content: sections are objects, lists are arrays. */
  data: unknown;
  locate: Locate;
  /**
   * The value at this path as it is written, such as `007`; undefined: it is a section, a list or missing.
   */
  written(path: Path): string | undefined;
  /** Whether a comment follows the value that was probably meant as its rest, as in `my #password`. */
  isCut(path: Path): boolean;
  /** Values that YAML reads otherwise than the author meant, and that the schema might accept. */
  surprises: readonly Problem[];
};

/**
 * Reads YAML 1.2, of which JSON is a part.
 * @returns the content, or the problems if the text is no valid YAML
 */
export function readYaml(text: string): Source | Problem[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, stringKeys: true });
  const placeOf = (offset: number): FilePosition => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const problem = (sentence: string, offset: number): Problem => ({
    path: [],
    at: 'value',
    sentence,
    place: placeOf(offset),
  });
  const faults = [...document.errors, ...document.warnings].map(({ code, message, pos }) => {
    if (code === 'MULTIPLE_DOCS')
      return problem('A second document begins here, and one is all that a file may hold.', pos[0]);
    const line = text.split('\n')[placeOf(pos[0]).line - 1] ?? '';
    return problem(
      TEMPLATE_IN_BRACKETS.test(line) ? `${message}.${QUOTE_IT}` : sentenceOfFault(code, message),
      pos[0],
    );
  });
  visit(document, {
    Alias(_key, alias) {
      if (!alias.resolve(document))
        faults.push(
          problem(`The anchor &${alias.source} is not in the file. ${ALIAS}`, alias.range?.[0] ?? 0),
        );
    },
  });
  // After the first mistake the parser also reports mistakes that do not exist.
  if (faults[0]) return faults.slice(0, 1);
  try {
    const data = document.toJS({ maxAliasCount: MAX_ALIASES });
    return { data, ...finders(document, placeOf), surprises: surprisesIn(document) };
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    return [
      problem(
        'The anchors of the file stand for far more than an adapter file holds. Write the values out.',
        0,
      ),
    ];
  }
}

const ALIAS = 'A value that begins with * must stand in quotes.';
/** Limits the copies that anchors make: a short file could otherwise grow to fill the memory. */
const MAX_ALIASES = 100;

/** A line with a template inside `[ ]` or `{ }`, where YAML takes the brace of the template as its own. */
const TEMPLATE_IN_BRACKETS = /[[{].*\$\{/;
const QUOTE_IT = ' Between [ ] and { } a template must stand in quotes: "${phone}".';

/** Makes the functions that find values of the document by path. */
function finders(
  document: Document,
  placeOf: (offset: number) => FilePosition,
): Pick<Source, 'locate' | 'written' | 'isCut'> {
  return {
    locate({ path, at }) {
      let found = find(document, path);
      // A missing value is reported at the section that should have it.
      for (let length = path.length - 1; !found && length > 0; length--)
        found = find(document, path.slice(0, length));
      if (!found) return placeOf(rangeStart(document.contents) ?? 0);
      const isThere = found.depth === path.length;
      const start =
        at === 'key' || !isThere
          ? (rangeStart(found.key) ?? rangeStart(found.value))
          : (rangeStart(found.value) ?? rangeStart(found.key));
      return placeOf(start ?? 0);
    },
    written(path) {
      const value = find(document, path)?.value;
      return isScalar(value) ? value.source : undefined;
    },
    isCut(path) {
      const value = find(document, path)?.value;
      return isScalar(value) && isCut(value.comment);
    },
  };
}

/** The node of a value, and the node of its key; an item of a list has no key. */
type FoundNode = { key: unknown; value: unknown; depth: number };

function find(document: Document, path: Path): FoundNode | undefined {
  let found: FoundNode = { key: undefined, value: document.contents, depth: 0 };
  for (const key of path) {
    const holder = isAlias(found.value) ? found.value.resolve(document) : found.value;
    const next = childOf(holder, key);
    if (!next) return undefined;
    found = { ...next, depth: found.depth + 1 };
  }
  return found;
}

function childOf(holder: unknown, key: PropertyKey): Pick<FoundNode, 'key' | 'value'> | undefined {
  if (isSeq(holder)) {
    const value = holder.items[Number(key)];
    return value === undefined ? undefined : { key: undefined, value };
  }
  if (!isMap(holder)) return undefined;
  const pair = holder.items.find((item: Pair) => isScalar(item.key) && item.key.value === key);
  return pair && { key: pair.key, value: pair.value };
}

function rangeStart(node: unknown): number | undefined {
  return (node as { range?: [number, number, number] | null } | null | undefined)?.range?.[0];
}
