/** Reads the YAML or JSON of an adapter file, and keeps where each value stands, for errors. */
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
  type YAMLMap,
} from 'yaml';
import type { FilePosition, Locate, Path, Problem } from './problem.ts';

/** An adapter file that was read. */
export type Source = {
  /** The content: sections are objects, lists are arrays. */
  data: unknown;
  locate: Locate;
};

/** Reads YAML 1.2, of which JSON is a part. @returns the problems if the text is no valid YAML */
export function readYaml(text: string): Source | Problem[] {
  const lines = new LineCounter();
  // Merge keys are of YAML 1.1, and most files that use anchors mean them.
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    stringKeys: true,
    merge: true,
  });
  const placeOf = (offset: number): FilePosition => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const problems = ({ sentence, offset }: Fault): Problem[] => [
    { path: [], at: 'value', sentence, place: placeOf(offset) },
  ];
  // After the first mistake the parser also reports mistakes that do not exist.
  const [fault] = faultsIn(document);
  if (fault) return problems(fault);
  try {
    const data = document.toJS({ maxAliasCount: MAX_ALIASES });
    return { data, locate: finder(document, placeOf) };
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    const sentence =
      'The anchors of the file stand for far more than an adapter file holds. Write the values out.';
    return problems({ sentence, offset: 0 });
  }
}

/** What makes a text no file: a sentence about it, and where it stands in the text. */
type Fault = { sentence: string; offset: number };

/** What the parser reports, and anchors that are used wrongly. */
function faultsIn(document: Document.Parsed): Fault[] {
  const faults = [...document.errors, ...document.warnings].map(({ code, message, pos: [offset] }): Fault => {
    if (code !== 'MULTIPLE_DOCS') return { sentence: `${withoutValue(message)}. ${QUOTES}`, offset };
    return { sentence: 'A second document begins here, and one is all that a file may hold.', offset };
  });
  const add = (sentence: string, node: unknown) => faults.push({ sentence, offset: rangeStart(node) ?? 0 });
  visit(document, {
    Pair(_key, { key, value }) {
      if (isMergeKey(key) && !sectionsOf(value, document))
        add('<< takes the anchor of a section, such as *name, or a list of them.', key);
    },
    Alias(_key, alias) {
      if (!alias.resolve(document))
        add(`A value begins with *, and no such anchor is in the file. ${QUOTES}`, alias);
    },
  });
  return faults;
}

/** The remedy for what YAML cannot read. */
const QUOTES = 'If it belongs to a value, put the whole value in quotes.';

/** The message of the parser without the value, which may be a secret. */
const withoutValue = (message: string) =>
  message.replace(/: [|>!].*$/s, '').replace(/ at line \d[\s\S]*$/, '');

/** Limits the copies that anchors make: a short file could otherwise grow to fill the memory. */
const MAX_ALIASES = 100;

/** Makes the function that finds places of the document by path. */
const finder =
  (document: Document, placeOf: (offset: number) => FilePosition): Locate =>
  ({ path, at }) => {
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
  };

/** The node of a value, and the node of its key; an item of a list has no key. */
type FoundNode = { key: unknown; value: unknown; depth: number };

function find(document: Document, path: Path): FoundNode | undefined {
  let found: FoundNode = { key: undefined, value: document.contents, depth: 0 };
  for (const key of path) {
    const holder = isAlias(found.value) ? found.value.resolve(document) : found.value;
    const next = childOf(holder, key, document);
    if (!next) return undefined;
    found = { ...next, depth: found.depth + 1 };
  }
  return found;
}

function childOf(
  holder: unknown,
  key: PropertyKey,
  document: Document,
): Pick<FoundNode, 'key' | 'value'> | undefined {
  if (isSeq(holder)) {
    const value = holder.items[Number(key)];
    return value === undefined ? undefined : { key: undefined, value };
  }
  if (!isMap(holder)) return undefined;
  const pair = holder.items.find((item: Pair) => isScalar(item.key) && item.key.value === key);
  if (pair) return { key: pair.key, value: pair.value };
  const merged = holder.items.filter((item: Pair) => isMergeKey(item.key));
  const sections = merged.flatMap(({ value }: Pair) => sectionsOf(value, document) ?? []);
  return sections.map((section) => childOf(section, key, document)).find((found) => found !== undefined);
}

/** A key in quotes is a member of that name. */
const isMergeKey = (key: unknown): boolean => isScalar(key) && key.value === '<<' && key.type === 'PLAIN';

/** The sections that a merge key takes over; undefined where it names anything else. */
function sectionsOf(value: unknown, document: Document): YAMLMap[] | undefined {
  const found = (isSeq(value) ? value.items : [value]).map((item) =>
    isAlias(item) ? item.resolve(document) : item,
  );
  return found.every(isMap) ? found : undefined;
}

function rangeStart(node: unknown): number | undefined {
  return (node as { range?: [number, number, number] | null } | null | undefined)?.range?.[0];
}
