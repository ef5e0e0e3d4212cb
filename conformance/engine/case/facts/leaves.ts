/** Facts about the values in a JSON document: their types, and which known values they are. */
import { memberPointer } from '../../party/requests/json-pointer.ts';
import type { Fact, Writer } from '../fact.ts';
import { quoted } from '../js-text.ts';
import { sha1 } from '../text/digests.ts';
import type { Trace } from '../trace/traced-call.ts';
import { RANK } from './rank.ts';

/** A document: its place in a trace, its name in words, and the expression by which a script has it. */
export type Document = {
  id: string;
  key: string;
  words: string;
  list: (writer: Writer) => string | undefined;
  /** What was sent to have it: a text that stands there, too, is no chance. */
  sent?: string;
};

/** A value in a JSON document, with its place. An object is a leaf, too, by the names of its members. */
type Leaf = { pointer: string; value: unknown; members?: string[] };

/** A deeper value, or one of a longer document, says little of a fault. */
const [MAX_DEPTH, MAX_LEAVES] = [6, 120];

/** The values in a JSON document. */
export function leavesOf(json: unknown): Leaf[] {
  const found: Leaf[] = [];
  const collect = (value: unknown, pointer: string, depth: number): void => {
    if (depth > MAX_DEPTH || found.length > MAX_LEAVES) return;
    if (value === null || typeof value !== 'object') {
      found.push({ pointer, value });
      return;
    }
    found.push({ pointer, value, members: Object.keys(value).sort() });
    for (const [name, each] of Object.entries(value)) collect(each, memberPointer(pointer, name), depth + 1);
  };
  if (json !== undefined) collect(json, '', 0);
  return found;
}

/** One statement about a value: its rank, what it says, and how a script tests it. */
type Statement = {
  id: string;
  rank: number;
  says: string;
  test: (js: string, writer: Writer) => string | undefined;
};

/** The facts about one value of a document. */
export function factsOfLeaf(document: Document, leaf: Leaf, trace: Trace): Fact[] {
  const { id, key, words, list, sent = '' } = document;
  const { pointer } = leaf;
  const where = pointer === '' ? 'the body' : pointer;
  return statementsOf(leaf, trace, sent).map(({ id: kind, rank, says, test }) => ({
    ...{
      id: `${id} ${pointer} ${kind}`,
      key,
      rank,
      isPortable: true,
      text: `${words} has in ${where} ${says}`,
    },
    write(writer) {
      const whole = list(writer);
      const js = whole && (pointer === '' ? whole : `at(${whole}, ${quoted(pointer)})`);
      const code = js && test(js, writer);
      return js && code ? { test: code, seen: `JSON.stringify(${js})` } : undefined;
    },
  }));
}

function statementsOf({ pointer, value, members }: Leaf, trace: Trace, sent: string): Statement[] {
  if (members) return [ofMembers(members, Array.isArray(value))];
  // A client counts its calls as it likes.
  if (pointer === '/id' && trace.sides.acts) return [ofType(value)];
  return [
    ofType(value),
    ...ofKnown(String(value), trace),
    ...(typeof value === 'number' ? ofNumber(value) : []),
    ...(typeof value === 'string' ? ofText(value, trace, sent) : []),
    ...(typeof value === 'boolean' ? [ofLiteral(String(value))] : []),
  ];
}

function ofMembers(members: readonly string[], isList: boolean): Statement {
  const says = isList ? `${members.length} items` : `the members ${members.join(', ')}`;
  const test = (js: string) => `String(Object.keys(${js} ?? {}).sort()) === ${quoted(members.join(','))}`;
  return { id: says, rank: RANK.members, says, test };
}

function ofType(value: unknown): Statement {
  const type = value === null ? 'null' : typeof value;
  const test = (js: string) => (type === 'null' ? `${js} === null` : `typeof ${js} === '${type}'`);
  return { id: `type ${type}`, rank: RANK.type, says: type === 'null' ? type : `a ${type}`, test };
}

function ofKnown(text: string, { names, internal }: Trace): Statement[] {
  const statements: Statement[] = [];
  const add = (says: string, test: Statement['test']) =>
    statements.push({ id: `is ${says}`, rank: RANK.known, says, test });
  const name = names.get(text);
  if (name !== undefined)
    add(`the ${name}`, (js, writer) => {
      const known = writer.value(name);
      return known && `String(${js}) === ${known}`;
    });
  if (text === internal.user) add('the internal user', (js) => `${js} === USER`);
  if (!/^[0-9a-f]{40}$/.test(text)) return statements;
  for (const [secret, of] of names)
    if (text === sha1(internal.password + secret))
      add(`the digest of the ${of}`, (js, writer) => {
        const known = writer.value(of);
        return known && `${js} === digest(${known})`;
      });
  return statements;
}

function ofNumber(value: number): Statement[] {
  const sign = Math.sign(value);
  const isWhole = Number.isInteger(value);
  const side = ['below', 'equal to', 'above'][sign + 1];
  return [
    {
      ...{ id: `sign ${sign}`, rank: RANK.type, says: `a number ${side} 0` },
      test: (js) => `Math.sign(${js}) === ${sign}`,
    },
    {
      ...{ id: `whole ${isWhole}`, rank: RANK.type, says: isWhole ? 'a whole number' : 'a fraction' },
      test: (js) => `Number.isInteger(${js}) === ${isWhole}`,
    },
    ofLiteral(String(value)),
  ];
}

const ofLiteral = (literal: string): Statement => ({
  ...{ id: `= ${literal}`, rank: RANK.literal, says: literal },
  test: (js) => `${js} === ${literal}`,
});

/** The forms of texts, in words. */
const SHAPES: readonly (readonly [string, RegExp])[] = [
  ['40 lowercase hexadecimal digits', /^[0-9a-f]{40}$/],
  ['digits alone', /^\d+$/],
  ['at least 16 characters', /^.{16,}$/],
  ['a date with time', /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d/],
  ['a time in UTC', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/],
];

/** A text with these was drawn: it is another one in each run. */
const DRAWN = /\d{4}|[a-z][A-Z0-9].*\d/;
const [MAX_LITERAL_CHARS, MAX_REPEATED_CHARS] = [60, 1_000];

function ofText(text: string, { names, sides }: Trace, sent: string): Statement[] {
  const drawn = (sides.acts?.constants ?? []).reduce((rest, each) => rest.replaceAll(each, ''), text);
  const shapes = SHAPES.filter(([, pattern]) => pattern.test(text)).map(([says, pattern]) => ({
    ...{ id: `shape ${says}`, rank: RANK.type, says },
    test: (js: string) => `${pattern}.test(${js})`,
  }));
  const isRepeated = text.length < MAX_REPEATED_CHARS && sent.includes(JSON.stringify(text));
  const isPlain = !DRAWN.test(drawn) && text.length < MAX_LITERAL_CHARS;
  return !names.has(text) && (isPlain || isRepeated) ? [...shapes, ofLiteral(quoted(text))] : shapes;
}
