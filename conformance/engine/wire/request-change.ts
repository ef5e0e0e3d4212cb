/**
 * Changes of a request on its way through the recording proxy, such as another content type or a doubled
 * member. So the kit sends what its own client would not send.
 */
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { binaryOf } from '#protocol/wire/bytes.ts';
import { isObject } from '#protocol/wire/envelope.ts';
import { tryJson, writeJson } from '#protocol/wire/json.ts';
import type { ExchangeEntry } from '../journal/entry.ts';
import { TRACE_HEADER } from '../journal/headers.ts';

export type ChangeableRequest = Omit<ExchangeEntry['request'], 'httpVersion'>;

export type RequestChange = (request: ChangeableRequest) => ChangeableRequest;

export function withHeader(name: string, value: string): RequestChange {
  return (request) => {
    const others = request.headers.filter(([each]) => each.toLowerCase() !== name.toLowerCase());
    return { ...request, headers: [...others, [name, value]] };
  };
}

/** Sends the request as a page of another origin would: with its Origin, and without the trace of the kit. */
export function fromPage(origin: string): RequestChange {
  return (request) => {
    const headers = request.headers.filter(([name]) => name.toLowerCase() !== TRACE_HEADER);
    return withHeader('Origin', origin)({ ...request, headers });
  };
}

/** Adds members to a JSON body, to the params of a JSON-RPC call, and texts to a form. Keeps any other body. */
export function withMembers(members: Readonly<Record<string, unknown>>): RequestChange {
  const inJson = changingBody((body) => {
    const params = isObject(body.params) ? { params: { ...body.params, ...members } } : {};
    return writeJson({ ...body, ...members, ...params });
  });
  return (request) => {
    if (!isForm(request)) return inJson(request);
    const texts = Object.entries(members).filter(([, value]) => typeof value === 'string') as Field[];
    return bodied(request, [request.body, String(new URLSearchParams(texts))].filter(Boolean).join('&'));
  };
}

/**
 * Sends a member twice: the member of a JSON body, or the field of a form or query, that has `value`. The
 * other one has `first` and stands before it, or has `last` and stands after it. Keeps any other request.
 */
export function withDoubledMember(
  value: string,
  { first, last }: { first?: string; last?: string },
): RequestChange {
  const all = [first, value, last].filter((each) => each !== undefined);
  return changingFields(
    (name, each) => (each === value ? all.map((one): Field => [name, one]) : undefined),
    (body) => {
      const member = new RegExp(
        `("[^"]*"\\s*:\\s*)${JSON.stringify(value).replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`,
      );
      return writeJson(body).replace(member, (_written, name: string) =>
        all.map((each) => name + JSON.stringify(each)).join(','),
      );
    },
  );
}

/**
 * Replaces `value` by `instead` in a JSON body, a form or a query. A list becomes repeated fields in a form,
 * whose name ends in `[]`. Keeps any other request.
 */
export function withValueInPlace(value: string, instead: string | readonly string[]): RequestChange {
  return changingFields(
    (name, each) => {
      if (each !== value) return undefined;
      return typeof instead === 'string'
        ? [[name, instead]]
        : instead.map((one): Field => [`${name}[]`, one]);
    },
    (body) => writeJson(body).replaceAll(JSON.stringify(value), () => JSON.stringify(instead)),
  );
}

/** Sends a POST as a GET, with its body in the query. Keeps any other request. */
export const byGet: RequestChange = (request) => {
  const { method, path, headers, body } = request;
  if (method !== 'POST') return request;
  const query = new URLSearchParams(isForm(request) ? body : fieldsOf(body)).toString();
  return {
    method: 'GET',
    path: query === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`,
    headers: headers.filter(([name]) => !/^content-(type|length)$/i.test(name)),
    body: '',
  };
};

/** Stands in a changed body for the byte FF, which is no UTF-8. */
export const NO_UTF8 = '\uf7ff';

/** The bytes of {@link NO_UTF8} as UTF-8 would write it. */
const WRITTEN = binaryOf(utf8ToBytes(NO_UTF8));

export const bytesOf = (body: string): Buffer =>
  Buffer.from(Buffer.from(body).toString('latin1').replaceAll(WRITTEN, '\xff'), 'latin1');

export function withBody(change: (body: string) => string): RequestChange {
  return (request) => bodied(request, change(request.body));
}

type Field = [name: string, value: string];

/** The members of a JSON object as fields. Values other than texts are written as JSON. */
function fieldsOf(body: string): Field[] {
  const value = tryJson(body)?.value;
  if (!isObject(value)) return [];
  const textOf = (member: unknown) => (typeof member === 'string' ? member : writeJson(member));
  return Object.entries(value).map(([name, member]) => [name, textOf(member)]);
}

/** `field` returns what replaces a field of a form or query, or undefined to keep it; `json` a body. */
function changingFields(
  field: (name: string, value: string) => Field[] | undefined,
  json: (body: Record<string, unknown>) => string,
): RequestChange {
  const changed = (text: string) => {
    const fields = [...new URLSearchParams(text)];
    const made = fields.map(([name, value]) => field(name, value) ?? ([[name, value]] as Field[]));
    // A text without a change stays as it was written: the parser would write it in another way.
    const isChanged = made.some(
      (each, index) => each.length !== 1 || String(each[0]) !== String(fields[index]),
    );
    return isChanged ? new URLSearchParams(made.flat()).toString() : text;
  };
  return (request) => {
    const [address = '', ...query] = request.path.split('?');
    const path = query.length > 0 ? `${address}?${changed(query.join('?'))}` : request.path;
    if (isForm(request)) return bodied({ ...request, path }, changed(request.body));
    return changingBody(json)({ ...request, path });
  };
}

const isForm = ({ headers }: ChangeableRequest) =>
  headers.some(
    ([name, value]) => /^content-type$/i.test(name) && /^application\/x-www-form-urlencoded\b/i.test(value),
  );

/** Keeps a body that is no JSON object. */
function changingBody(change: (body: Record<string, unknown>) => string): RequestChange {
  return (request) => {
    const value = tryJson(request.body)?.value;
    return isObject(value) ? bodied(request, change(value)) : request;
  };
}

/** Replaces the body, and Content-Length with it. */
function bodied(request: ChangeableRequest, body: string): ChangeableRequest {
  const length = String(bytesOf(body).length);
  const headers = request.headers.map(([name, value]): Field => {
    return [name, name.toLowerCase() === 'content-length' ? length : value];
  });
  return { ...request, headers, body };
}
