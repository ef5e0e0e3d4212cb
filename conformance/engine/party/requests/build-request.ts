/** Builds the HTTP request that the kit sends for a step, from the templates of the adapter file. */
import { callText, isObject } from '#protocol/wire/envelope.ts';
import { writeJson } from '#protocol/wire/json.ts';
import type { CertificatePair } from '../../wire/tls-side.ts';
import type { RequestStep, RpcStep } from '../file/step-schema.ts';
import { fill, fillAddress, loneVariable, type Variables } from './template.ts';

/** A request ready to be sent. Names of headers are in lower case. */
export type HttpRequest = {
  method: string;
  url: string;
  headers: [string, string][];
  body: string | undefined;
  /** Shown to the server where it asks for one. */
  certificate?: CertificatePair | undefined;
};

/** A request as the adapter file describes it: for a step, or for the list of SMS of a test server. */
export type RequestSettings = { method: string } & Partial<
  Pick<RequestStep, 'path' | 'url' | 'headers' | 'json' | 'form' | 'body'>
>;

/** Any JSON value, which is sent instead of a template's text. Without `json` the member is left out. */
export type InPlace = { readonly json?: unknown };

/** By the name of a variable. It counts only where a template is that variable and nothing else. */
export type InPlaceOf = Readonly<Record<string, InPlace>>;

/**
 * Fills in a request. `baseUrl` has no slash at its end. Leaves out each member, field and header whose
 * template lacks an optional value; in an address it becomes empty. @throws MissingValueError
 */
export function buildRequest(
  settings: RequestSettings,
  variables: Variables,
  baseUrl: string,
  inPlace: InPlaceOf = {},
): HttpRequest {
  const { type, body } = bodyOf(settings, variables, inPlace);
  const url = addressOf(settings, variables, baseUrl);
  return { method: settings.method, url, headers: headersOf(settings.headers, variables, type), body };
}

/** Fills in a JSON-RPC call by the rules of {@link buildRequest}. Without a session it has no `cred`. */
export function buildCall(
  step: RpcStep,
  variables: Variables,
  baseUrl: string,
  id: number,
  inPlace: InPlaceOf = {},
): HttpRequest {
  const call = {
    id,
    method: step.rpc,
    params: filledJson(step.params ?? {}, variables, inPlace) ?? {},
    // `filledJson` knows no types. The value has the members of SESSION, or is left out.
    cred: (step.cred === 'session' ? filledJson(SESSION, variables, inPlace) : undefined) as
      | typeof SESSION
      | undefined,
  };
  const url = addressOf(step, variables, baseUrl);
  return {
    method: 'POST',
    url,
    headers: headersOf(step.headers, variables, 'application/json'),
    body: callText(call),
  };
}

/** The template of `cred`, for a step that is sent with the session. */
const SESSION = { user: '${user}', token: '${token}' };

function addressOf(
  { path, url }: Pick<RequestSettings, 'path' | 'url'>,
  variables: Variables,
  baseUrl: string,
): string {
  return url === undefined ? `${baseUrl}${fillAddress(path ?? '/', variables)}` : fillAddress(url, variables);
}

/** The headers of a request. Those of the adapter file replace `accept` and the content type. */
function headersOf(
  templates: RequestSettings['headers'],
  variables: Variables,
  type: string | undefined,
): [string, string][] {
  const headers = new Map([['accept', 'application/json']]);
  if (type !== undefined) headers.set('content-type', type);
  for (const [name, template] of Object.entries(templates ?? {})) {
    const value = fill(template, variables);
    if (value !== undefined) headers.set(name.toLowerCase(), value);
  }
  return [...headers];
}

/** The body and its content type: `json` before `form`, and that before `body`, whose type the file sets. */
function bodyOf(
  { json, form, body }: RequestSettings,
  variables: Variables,
  inPlace: InPlaceOf,
): { type: string | undefined; body: string | undefined } {
  if (json !== undefined) {
    const filled = filledJson(json, variables, inPlace) ?? (isObject(json) ? {} : undefined);
    return { type: 'application/json', body: writeJson(filled) };
  }
  if (form !== undefined) {
    const fields = Object.entries(form).map(([name, template]) => {
      const instead = inPlaceOf(template, inPlace);
      return [name, instead ? textOf(instead) : fill(template, variables)];
    });
    const given = fields.filter((field): field is [string, string] => field[1] !== undefined);
    return { type: 'application/x-www-form-urlencoded', body: new URLSearchParams(given).toString() };
  }
  return { type: undefined, body: body === undefined ? undefined : fill(body, variables) };
}

/** The value that replaces a template which is one variable and nothing else. */
function inPlaceOf(template: string, inPlace: InPlaceOf): InPlace | undefined {
  const name = loneVariable(template);
  return name === undefined ? undefined : inPlace[name];
}

function textOf({ json }: InPlace): string | undefined {
  if (json === null) return '';
  return json === undefined || typeof json === 'string' ? json : writeJson(json);
}

/** Fills in the templates of a JSON value. `undefined` when all that it contains is left out. */
function filledJson(value: unknown, variables: Variables, inPlace: InPlaceOf): unknown {
  if (typeof value === 'string') {
    const instead = inPlaceOf(value, inPlace);
    if (instead) return instead.json;
    const filled = fill(value, variables);
    // By how much the clock moves: the only variable that is sent as a number.
    return loneVariable(value) === 'milliseconds' ? Number(filled) : filled;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value))
    return value.map((item) => filledJson(item, variables, inPlace)).filter((item) => item !== undefined);
  const members = Object.entries(value);
  const filled = members
    .map(([name, member]) => [name, filledJson(member, variables, inPlace)] as const)
    .filter(([, member]) => member !== undefined);
  return members.length > 0 && filled.length === 0 ? undefined : Object.fromEntries(filled);
}
