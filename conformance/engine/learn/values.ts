/** The values that a request sends and an answer gives, each with its place. */
import { isObject } from '#protocol/wire/envelope.ts';
import { MAX_DEPTH } from '#protocol/wire/json.ts';
import { memberPointer } from '../party/requests/json.ts';
import type { Pairs, SeenBody, SeenExchange } from './exchange.ts';

/** `key` is a name, the number of a path segment from 0, or a JSON Pointer. */
export type ValuePlace = {
  readonly in: 'path' | 'query' | 'header' | 'cookie' | 'json' | 'form' | 'text';
  readonly key: string;
};

/** A value at its place. `name` is the member, field or header that holds it. */
export type SeenValue = { readonly value: string; readonly name: string; readonly place: ValuePlace };

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

const seen = (where: ValuePlace['in'], key: string, value: string, name = ''): SeenValue => ({
  value,
  name,
  place: { in: where, key },
});

const named = (where: ValuePlace['in'], pairs: Pairs): SeenValue[] =>
  pairs.filter(([, value]) => value !== '').map(([name, value]) => seen(where, name, value, name));

function bodyValues(body: SeenBody): SeenValue[] {
  if (body.kind === 'json') return leavesOf(body.json);
  return body.kind === 'form' ? named('form', body.fields) : [];
}
