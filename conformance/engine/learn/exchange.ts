/**
 * One request and its answer as a recording has them, and their values, each with its place. They hold secrets
 * and stay in memory.
 */
import { isObject } from '#protocol/wire/envelope.ts';
import { isNumber, MAX_DEPTH, tryJson } from '#protocol/wire/json.ts';
import { percentDecoded } from '../journal/secrets/decoded-texts.ts';
import { cookiesAfter } from '../party/requests/cookies.ts';
import { memberPointer } from '../party/requests/json.ts';

/** Names and values in their order; names of headers are in lower case. */
export type Pairs = readonly (readonly [name: string, value: string])[];

/** A body, read by what it is. `unsaved`: there was one, and the recording lacks it. */
export type SeenBody =
  | { readonly kind: 'none' | 'unsaved' }
  | { readonly kind: 'json'; readonly json: unknown; readonly text: string }
  | { readonly kind: 'form'; readonly fields: Pairs; readonly text: string }
  | { readonly kind: 'text'; readonly text: string };

export type SeenExchange = {
  /** Its number in the recording, in order of time, counted from 1. */
  readonly number: number;
  /** Milliseconds since 1970-01-01 UTC. */
  readonly startedAt: number;
  readonly request: {
    readonly method: string;
    readonly url: URL;
    readonly headers: Pairs;
    readonly cookies: Pairs;
    readonly body: SeenBody;
  };
  readonly answer: {
    /** 0: there was no answer. */
    readonly status: number;
    readonly headers: Pairs;
    readonly cookies: Pairs;
    readonly body: SeenBody;
  };
};

/** An exchange before its parts are read. A `body` is null where there was one that was not saved. */
export type RecordedExchange = {
  startedAt: number;
  request: { method: string; url: string; headers: Pairs; body: string | null };
  answer: { status: number; headers: Pairs; body: string | null };
};

/** `key` is a name, the number of a path segment from 0, or a JSON Pointer. */
type ValuePlace = {
  readonly in: 'path' | 'query' | 'header' | 'cookie' | 'json' | 'form' | 'text';
  readonly key: string;
};

/** A value at its place. `name` is the member, field or header that holds it. */
export type SeenValue = { readonly value: string; readonly name: string; readonly place: ValuePlace };

/** Reads the parts of exchanges, and orders them by time. Those whose address is no URL are left out. */
export function seenExchanges(recorded: readonly RecordedExchange[]): SeenExchange[] {
  return recorded
    .filter(({ request }) => URL.canParse(request.url))
    .toSorted((a, b) => a.startedAt - b.startedAt)
    .map(({ startedAt, request, answer }, index) => {
      const [sent, given] = [inLowerCase(request.headers), inLowerCase(answer.headers)];
      return {
        number: index + 1,
        startedAt,
        request: {
          method: request.method.toUpperCase(),
          url: new URL(request.url),
          headers: sent,
          cookies: sent.filter(([name]) => name === 'cookie').flatMap(([, value]) => sentCookies(value)),
          body: readBody(request.body, sent),
        },
        answer: {
          status: answer.status,
          headers: given,
          cookies: [
            ...cookiesAfter(cookieLines(given), { path: new URL(request.url).pathname, at: startedAt }),
          ],
          body: readBody(answer.body, given),
        },
      };
    });
}

/** Some tools write several cookies as the lines of one header. */
const cookieLines = (headers: Pairs): string[] =>
  headers.flatMap(([name, value]) => (name === 'set-cookie' ? value.split('\n') : []));

/** `name` is in lower case. */
export const headerIn = (headers: Pairs, name: string): string | undefined =>
  headers.find(([given]) => given === name)?.[1];

/** Without the pseudo headers of HTTP/2, such as `:authority`. */
function inLowerCase(headers: Pairs): Pairs {
  return headers
    .filter(([name]) => !name.startsWith(':'))
    .map(([name, value]) => [name.toLowerCase(), value]);
}

function sentCookies(header: string): [string, string][] {
  return header.split(';').flatMap((part) => {
    const at = part.indexOf('=');
    return at < 1 ? [] : [[part.slice(0, at).trim(), part.slice(at + 1).trim()]];
  });
}

/** Reads a body by its type, and by its look where the type says nothing. */
function readBody(text: string | null, headers: Pairs): SeenBody {
  if (text === null) return { kind: 'unsaved' };
  if (text === '') return { kind: 'none' };
  const type = headerIn(headers, 'content-type') ?? '';
  const json = /^\s*[[{]/.test(text) || /\bjson\b/i.test(type) ? tryJson(text) : undefined;
  if (json) return { kind: 'json', json: json.value, text };
  const isMultipart = MULTIPART.test(type);
  if (isMultipart && text.startsWith('--')) return { kind: 'form', fields: fieldsOfParts(text), text };
  if (isMultipart || /x-www-form-urlencoded/i.test(type))
    return { kind: 'form', fields: [...new URLSearchParams(text)], text };
  return { kind: 'text', text };
}

export const MULTIPART = /^multipart\/form-data\b/i;

/** The fields of `multipart/form-data`, without its files. The text begins with the boundary. */
function fieldsOfParts(text: string): [string, string][] {
  const boundary = text.slice(0, text.search(/\r?\n|$/));
  return text.split(boundary).flatMap((part): [string, string][] => {
    const [, head = '', value = ''] = /^\r?\n(.*?)\r?\n\r?\n(.*?)\r?\n$/s.exec(part) ?? [];
    const name = /^content-disposition:.*;\s*name="([^"]*)"/im.exec(head)?.[1];
    return name === undefined || /;\s*filename/i.test(head) ? [] : [[name, value]];
  });
}

export function sentValues({ request }: SeenExchange): SeenValue[] {
  const { url, headers, cookies, body } = request;
  return [
    ...segmentsOf(url).map((value, index) => seen('path', String(index), value)),
    ...named('query', [...url.searchParams]),
    ...headerValues(headers.filter(([name]) => name !== 'cookie')),
    ...named('cookie', cookies),
    ...bodyValues(body),
  ];
}

export function givenValues({ answer }: SeenExchange): SeenValue[] {
  const { headers, cookies, body } = answer;
  return [
    ...named('cookie', cookies),
    ...headerValues(headers.filter(([name]) => /^(?:x-|authorization$)/.test(name))),
    ...bodyValues(body),
  ];
}

const headerValues = (headers: Pairs): SeenValue[] =>
  named(
    'header',
    headers.map(([name, value]) => [name, withoutScheme(value)]),
  );

/** The parts of a path between its slashes, decoded. */
export const segmentsOf = (url: URL): string[] => url.pathname.split('/').slice(1).map(percentDecoded);

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
  if (typeof json === 'string' || isNumber(json)) return [seen('json', pointer, String(json), name)];
  const isList = Array.isArray(json);
  if ((!isList && !isObject(json)) || depth > MAX_DEPTH) return [];
  return Object.entries(json as object).flatMap(([key, member]) =>
    leavesOf(member, memberPointer(pointer, key), isList ? name : key, depth + 1),
  );
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
