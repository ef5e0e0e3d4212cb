/** Requests with one thing changed, that no client of the adapter file would send: the change is made on their way through the proxy. */
import { isObject } from '#protocol/envelope.ts';

/** A request as far as it may be changed. */
export type ChangeableRequest = { method: string; path: string; headers: [string, string][]; body: string };

export type RequestChange = (request: ChangeableRequest) => ChangeableRequest;

/** The same body under another Content-Type, if the request has one. */
export function withContentType(type: string): RequestChange {
  return (request) => ({
    ...request,
    headers: request.headers.map(([name, value]) => [name, name.toLowerCase() === 'content-type' ? type : value]),
  });
}

/** With a header, in place of those of the same name. */
export function withHeader(name: string, value: string): RequestChange {
  return (request) => ({
    ...request,
    headers: [...request.headers.filter(([each]) => each.toLowerCase() !== name.toLowerCase()), [name, value]],
  });
}

/** A JSON body, and the params of a JSON-RPC call, with further members; any other body stays. */
export function withMembers(members: Readonly<Record<string, unknown>>): RequestChange {
  return changingBody((body) => {
    const { params } = body;
    return JSON.stringify({ ...body, ...members, ...(isObject(params) && { params: { ...params, ...members } }) });
  });
}

/**
 * The member of a JSON body, the field of a form or of a query that has `value` stands twice: with `first` before it, or
 * `last` behind it. Any other request stays.
 */
export function withDoubledMember(value: string, { first, last }: { first?: string; last?: string }): RequestChange {
  const all = [first, value, last].filter((each) => each !== undefined);
  return changingFields(
    (name, each) => (each === value ? all.map((one): Field => [name, one]) : undefined),
    (body) => {
      const member = new RegExp(`("[^"]*"\\s*:\\s*)${JSON.stringify(value).replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`);
      return JSON.stringify(body).replace(member, (_written, name: string) =>
        all.map((each) => name + JSON.stringify(each)).join(','),
      );
    },
  );
}

/**
 * Another value in the place of `value` in a JSON body, a form or a query. A list stands in a form as fields whose name
 * ends in `[]`. Any other request stays.
 */
export function withValueInPlace(value: string, instead: string | readonly string[]): RequestChange {
  return changingFields(
    (name, each) => {
      if (each !== value) return undefined;
      return typeof instead === 'string' ? [[name, instead]] : instead.map((one): Field => [`${name}[]`, one]);
    },
    (body) => JSON.stringify(body).replaceAll(JSON.stringify(value), () => JSON.stringify(instead)),
  );
}

/** The same request by GET: what its body says stands in the query. A request that is no POST stays. */
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

/** The body as given, with its length. */
export function withBody(change: (body: string) => string): RequestChange {
  return (request) => bodied(request, change(request.body));
}

type Field = [name: string, value: string];

/** Members of a JSON object as fields; those of other types as JSON text. */
function fieldsOf(body: string): Field[] {
  const value = jsonOf(body);
  if (!isObject(value)) return [];
  return Object.entries(value).map(([name, member]) => [
    name,
    typeof member === 'string' ? member : JSON.stringify(member),
  ]);
}

/** Fields of a form and of the query by `field`, which is undefined for what stays; a JSON body by `json`. */
function changingFields(
  field: (name: string, value: string) => Field[] | undefined,
  json: (body: Record<string, unknown>) => string,
): RequestChange {
  const changed = (text: string) => {
    const fields = [...new URLSearchParams(text)];
    const made = fields.map(([name, value]) => field(name, value) ?? ([[name, value]] as Field[]));
    const isChanged = made.some((each, index) => each.length !== 1 || String(each[0]) !== String(fields[index]));
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
  headers.some(([name, value]) => /^content-type$/i.test(name) && /^application\/x-www-form-urlencoded\b/i.test(value));

function changingBody(change: (body: Record<string, unknown>) => string): RequestChange {
  return (request) => {
    const value = jsonOf(request.body);
    return isObject(value) ? bodied(request, change(value)) : request;
  };
}

/** The value of a JSON text; undefined for any other text. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // No JSON, and so no members.
    return undefined;
  }
}

function bodied(request: ChangeableRequest, body: string): ChangeableRequest {
  const length = String(Buffer.byteLength(body));
  return {
    ...request,
    headers: request.headers.map(([name, old]) => [name, name.toLowerCase() === 'content-length' ? length : old]),
    body,
  };
}
