/** Changes one thing in a request on its way through the proxy, which no client would send. */
import { isObject } from '#protocol/wire/envelope.ts';
import { tryJson } from '#protocol/wire/json.ts';
import type { ExchangeEntry } from '../journal/entry.ts';

/** The parts of a request that may be changed. */
export type ChangeableRequest = Omit<ExchangeEntry['request'], 'httpVersion'>;

export type RequestChange = (request: ChangeableRequest) => ChangeableRequest;

/** The same body with another Content-Type, if the request has one. */
export function withContentType(type: string): RequestChange {
  return (request) => ({ ...request, headers: replaced(request.headers, 'content-type', type) });
}

/** The same headers, one of them with another value. */
function replaced(headers: ChangeableRequest['headers'], name: string, value: string) {
  return headers.map(([each, old]): Field => [each, each.toLowerCase() === name ? value : old]);
}

/** Sets a header, replacing those of the same name. */
export function withHeader(name: string, value: string): RequestChange {
  return (request) => {
    const others = request.headers.filter(([each]) => each.toLowerCase() !== name.toLowerCase());
    return { ...request, headers: [...others, [name, value]] };
  };
}

/** Adds members to a JSON body and to the params of a JSON-RPC call; keeps any other body. */
export function withMembers(members: Readonly<Record<string, unknown>>): RequestChange {
  return changingBody((body) => {
    const params = isObject(body.params) ? { params: { ...body.params, ...members } } : {};
    return JSON.stringify({ ...body, ...members, ...params });
  });
}

/**
 * Doubles the member of a JSON body, or the field of a form or query, that has `value`: with `first` before
 * it, or `last` after it. Keeps any other request.
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
      return JSON.stringify(body).replace(member, (_written, name: string) =>
        all.map((each) => name + JSON.stringify(each)).join(','),
      );
    },
  );
}

/**
 * Replaces `value` in a JSON body, a form or a query. In a form, a list becomes fields whose name ends in
 * `[]`. Keeps any other request.
 */
export function withValueInPlace(value: string, instead: string | readonly string[]): RequestChange {
  return changingFields(
    (name, each) => {
      if (each !== value) return undefined;
      return typeof instead === 'string'
        ? [[name, instead]]
        : instead.map((one): Field => [`${name}[]`, one]);
    },
    (body) => JSON.stringify(body).replaceAll(JSON.stringify(value), () => JSON.stringify(instead)),
  );
}

/** Sends the request by GET, with its body in the query. Keeps a request that is no POST. */
export function byGet(): RequestChange {
  return (request) => {
    if (request.method !== 'POST') return request;
    const { path, headers, body } = request;
    const fields = isForm(request) ? new URLSearchParams(body) : new URLSearchParams(fieldsOf(body));
    const query = fields.toString();
    return {
      method: 'GET',
      path: query === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`,
      headers: headers.filter(([name]) => !/^content-(type|length)$/i.test(name)),
      body: '',
    };
  };
}

/** Changes the body and its length. */
export function withBody(change: (body: string) => string): RequestChange {
  return (request) => bodied(request, change(request.body));
}

type Field = [name: string, value: string];

/** The members of a JSON object as fields; values other than texts as JSON. */
function fieldsOf(body: string): Field[] {
  const value = tryJson(body)?.value;
  if (!isObject(value)) return [];
  const textOf = (member: unknown) => (typeof member === 'string' ? member : JSON.stringify(member));
  return Object.entries(value).map(([name, member]) => [name, textOf(member)]);
}

/**
 * Changes fields of a form and of the query by `field`, which returns undefined to keep one, and a JSON body
 * by `json`.
 */
function changingFields(
  field: (name: string, value: string) => Field[] | undefined,
  json: (body: Record<string, unknown>) => string,
): RequestChange {
  const changed = (text: string) => {
    const fields = [...new URLSearchParams(text)];
    const made = fields.map(([name, value]) => field(name, value) ?? ([[name, value]] as Field[]));
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

function changingBody(change: (body: Record<string, unknown>) => string): RequestChange {
  return (request) => {
    const value = tryJson(request.body)?.value;
    return isObject(value) ? bodied(request, change(value)) : request;
  };
}

function bodied(request: ChangeableRequest, body: string): ChangeableRequest {
  const length = String(Buffer.byteLength(body));
  return { ...request, headers: replaced(request.headers, 'content-length', length), body };
}
