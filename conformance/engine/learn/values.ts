/**
 * The values that a request sends and an answer gives, each with its place. An inference follows them: a
 * value that an answer gave and a later request sends shows what belongs together.
 */
import { isObject } from '#protocol/wire/envelope.ts';
import { MAX_DEPTH } from '#protocol/wire/json.ts';
import { memberPointer } from '../party/requests/json-pointer.ts';
import { headerIn, type Pairs, type SeenBody, type SeenExchange } from './exchange.ts';

/** Where a value stands. `key` is a name, a number of a path segment, or a JSON Pointer. */
export type ValuePlace = {
  readonly in: 'path' | 'query' | 'header' | 'cookie' | 'json' | 'form' | 'text';
  readonly key: string;
};

/** A value at its place. `name` is the member, field or header that holds it. */
export type SeenValue = { readonly value: string; readonly name: string; readonly place: ValuePlace };

/** Every value that the request sends. */
export function sentValues({ request }: SeenExchange): SeenValue[] {
  const { url, headers, cookies, body } = request;
  return [
    ...segmentsOf(url).map((value, index) => seen('path', String(index), value)),
    ...named('query', [...url.searchParams]),
    ...named(
      'header',
      headers.filter(([name]) => name !== 'cookie').map(([name, value]) => [name, withoutScheme(value)]),
    ),
    ...named('cookie', cookies),
    ...bodyValues(body),
  ];
}

/** Every value that the answer gives. Texts that are no JSON are searched by {@link placeOf} alone. */
export function givenValues({ answer }: SeenExchange): SeenValue[] {
  const { headers, cookies, body } = answer;
  const telling = headers.filter(([name]) => /^(?:x-|authorization$)/.test(name));
  return [
    ...named('cookie', cookies),
    ...named(
      'header',
      telling.map(([name, value]) => [name, withoutScheme(value)]),
    ),
    ...bodyValues(body),
  ];
}

/** Limits the text in which names are sought (characters): pages are shorter, and longer ones take time. */
const MAX_SHOWN_CHARS = 2 ** 20;

/** The values beside a name in the attributes, fields and scripts of a page, and those of a Location. */
export function shownValues({ answer: { headers, body } }: SeenExchange): SeenValue[] {
  const text = body.kind === 'text' ? body.text.slice(0, MAX_SHOWN_CHARS) : '';
  const inText = FORMS.flatMap(({ sought }) => [
    ...text.matchAll(new RegExp(sought.replace('VALUE', '(?<value>[^"\'&<>\\s]+)'), 'g')),
  ]).map(({ groups = {} }) => seen('text', '', groups.value ?? '', groups.name));
  const [, query = ''] = /[?#](.*)/.exec(headerIn(headers, 'location') ?? '') ?? [];
  return [...inText, ...named('text', [...new URLSearchParams(query)])];
}

/** The parts of a path between its slashes, decoded. */
export const segmentsOf = (url: URL): string[] =>
  url.pathname
    .split('/')
    .slice(1)
    .map((part) => {
      try {
        return decodeURIComponent(part);
      } catch {
        return part;
      }
    });

/** A header such as `Bearer x` without its scheme. */
export const withoutScheme = (header: string): string =>
  header.replace(/^(?:Bearer|Token|JWT|Session) +/i, '');

/** A name as words in lower case: `ehrUserSign` and `ehr_user_sign` are both `ehr user sign`. */
export const wordsOf = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[^A-Za-z0-9]+/g, ' ')
    .toLowerCase()
    .trim();

/** Whether a value looks drawn: long, without spaces, and no word. */
export const isSecretLike = (value: string): boolean =>
  value.length >= 8 &&
  value.length <= 4_096 &&
  !/\s|^\d{4}-\d\d-\d\d|^https?:/.test(value) &&
  (/\d/.test(value) || value.length >= 20);

/** The texts and numbers of a JSON value, down to {@link MAX_DEPTH}. */
export function leavesOf(json: unknown, pointer = '', name = '', depth = 0): SeenValue[] {
  if (typeof json === 'string' || typeof json === 'number')
    return [seen('json', pointer, String(json), name)];
  const isList = Array.isArray(json);
  if ((!isList && !isObject(json)) || depth > MAX_DEPTH) return [];
  return Object.entries(json as object).flatMap(([key, member]) => {
    return leavesOf(member, memberPointer(pointer, key), isList ? name : key, depth + 1);
  });
}

/**
 * The place of a value in a text that is no JSON, such as a page, as a regular expression whose group is the
 * value. The expression names the field, attribute or variable, and no other text of the page.
 */
export function patternFor(text: string, value: string): TextPlace | undefined {
  if (!text.includes(value)) return undefined;
  for (const { sought, patternOf } of FORMS) {
    const match = new RegExp(sought.replace('VALUE', () => escaped(value))).exec(text);
    if (!match?.groups) continue;
    const tag = text.slice(text.lastIndexOf('<', match.index), text.indexOf('>', match.index));
    const isHidden = /^<input\b.*\btype=["']?hidden\b/is.test(tag);
    return { name: match.groups.name as string, pattern: patternOf(match.groups), isHidden };
  }
  return undefined;
}

/** How a value is found in a text, the name beside it, and whether it is that of a hidden field. */
type TextPlace = { pattern: string; name: string; isHidden: boolean };

type Groups = { [group: string]: string };

/** How pages write a value: how a known one is found, and the expression that finds others. */
const FORMS: readonly { sought: string; patternOf: (found: Groups) => string }[] = [
  {
    sought:
      '(?<before>name=["\']?(?<name>[\\w.:[\\]-]+)["\']?)[^<>]*?\\b(?<attribute>value|content)=(?<quote>["\'])VALUE["\']',
    patternOf: ({ before = '', attribute, quote }) =>
      `${escaped(before)}[^<>]*${attribute}=${quote}([^${quote}]+)`,
  },
  {
    sought:
      '\\b(?<attribute>value|content)=(?<quote>["\'])VALUE["\'][^<>]*?(?<after>name=["\']?(?<name>[\\w.:[\\]-]+)["\']?)',
    patternOf: ({ after = '', attribute, quote }) =>
      `${attribute}=${quote}([^${quote}]+)${quote}[^<>]*${escaped(after)}`,
  },
  {
    sought: '(?<name>[A-Za-z_][\\w-]*)["\']?\\s*[:=]\\s*(?<quote>["\'])VALUE["\']',
    patternOf: ({ name, quote }) => `\\b${name}["']?\\s*[:=]\\s*${quote}([^${quote}]+)`,
  },
  {
    sought: '(?<name>[A-Za-z_][\\w-]*)&quot;\\s*:\\s*&quot;VALUE&quot;',
    patternOf: ({ name }) => `\\b${name}&quot;\\s*:\\s*&quot;([^&]+)`,
  },
  {
    sought: '[?&;](?<name>[\\w-]+)=VALUE(?![\\w.~%-])',
    patternOf: ({ name }) => `[?&;]${name}=([\\w.~%-]+)`,
  },
];

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

const seen = (where: ValuePlace['in'], key: string, value: string, name = ''): SeenValue => ({
  value,
  name,
  place: { in: where, key },
});

const named = (where: ValuePlace['in'], pairs: Pairs): SeenValue[] =>
  pairs.filter(([, value]) => value !== '').map(([name, value]) => seen(where, name, value, name));

function bodyValues(body: SeenBody): SeenValue[] {
  if (body.kind === 'json') {
    const leaves = leavesOf(body.json);
    return [
      ...leaves,
      ...leaves.flatMap(({ value, name, place }) => (name === 'query' ? argumentsIn(value, place.key) : [])),
    ];
  }
  return body.kind === 'form' ? named('form', body.fields) : [];
}

/** An argument of a GraphQL query: its name, a colon, and a text in quotes or a number. */
export const ARGUMENT = /(\w+)(\s*:\s*)(?:"([^"\\]*)"|(\d+)\b)/g;

/** The arguments that stand within a GraphQL query. */
function argumentsIn(query: string, pointer: string): SeenValue[] {
  return [...query.matchAll(ARGUMENT)].map(([, name = '', , quoted, number]) =>
    seen('text', pointer, quoted ?? number ?? '', name),
  );
}
