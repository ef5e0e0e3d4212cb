/** Changes the text of a file of known failures. Its comments, its order and its other entries stay. */
import { type Document, isMap, parseDocument, type Scalar, type YAMLMap } from 'yaml';
import { FLAKY, SET_ASIDE } from './load.ts';

type EntryMap = YAMLMap<Scalar<string>, unknown>;

/** Each entry on one line, however long. */
const FORM = { lineWidth: 0 } as const;

/**
 * Adds entries after the known failures of the list.
 * @param text a file that can be read, or an empty text
 * @param entries the text of each entry, by its check
 */
export function withEntries(text: string, entries: Readonly<Record<string, string>>): string {
  const document = parseDocument<EntryMap>(text);
  const map = mapOf(document);
  // An empty list is `{}`, in which the entries would stand on one line.
  if (map.items.length === 0) map.flow = false;
  const last = map.items.findLastIndex(({ key }) => key.value !== FLAKY && key.value !== SET_ASIDE);
  const pairs = Object.entries(entries).map(([check, reason]) => document.createPair(check, reason));
  map.items.splice(last === -1 ? map.items.length : last + 1, 0, ...(pairs as EntryMap['items']));
  return document.toString(FORM);
}

/**
 * Takes known failures off the list, with the comments on them. A flaky check stays.
 * @param text a file that can be read
 */
export function withoutEntries(text: string, checks: readonly string[]): string {
  const document = parseDocument<EntryMap>(text);
  const map = mapOf(document);
  for (const check of checks) {
    const at = map.items.findIndex(({ key }) => key.value === check);
    const [gone] = at === -1 ? [] : map.items.splice(at, 1);
    const first = map.items[0]?.key;
    if (first && at === 0) first.spaceBefore = false;
    const heading = HEADING.exec(gone?.key.commentBefore ?? '')?.[0];
    if (heading !== undefined) keepHeading(heading, map, at);
  }
  return document.toString(FORM);
}

/** Comments above an entry which an empty line parts from it: they are on all that follows. */
const HEADING = /^.*\n(?=\n|$)/s;

/** Puts a heading above the entry at this place, or at the end. */
function keepHeading(heading: string, map: EntryMap, at: number): void {
  const next = map.items[at]?.key;
  if (next) next.commentBefore = [heading, next.commentBefore].filter(isText).join('\n');
  else map.comment = [heading.trimEnd(), map.comment].filter(isText).join('\n\n');
}

const isText = (comment: string | null | undefined) => comment !== null && comment !== undefined;

/** The entries of the document; a new list where it has none. */
function mapOf(document: Document<EntryMap>): EntryMap {
  const { contents } = document;
  if (isMap(contents)) return contents;
  const map = document.createNode({}) as unknown as EntryMap;
  document.contents = map;
  return map;
}
