/** The HTTP rules around a pipeline (decisions 2, 3 and 7), as one msw handler. */
import { type HttpHandler, HttpResponse, http } from 'msw';
import type { Pipeline } from '#protocol/methods/pipeline.ts';

/** The address of a server, ready to be compared with request addresses. */
export type Base = { origin: string; path: string };

export type RpcHandlerOptions = {
  base: Base;
  /** The endpoint's path below the base, with its trailing slash, such as `/1.0-alpha/`. */
  endpoint: string;
  /** Other HTTP methods that earlier handlers serve at the endpoint. */
  alsoServes?: readonly string[];
  /** Answers a call. Rethrows a mistake in a handler after the answer was made. */
  answer: (body: string) => ReturnType<Pipeline>;
  /** The reply to a call at another path one segment below the base. When absent, such calls are ignored. */
  notFound?: Record<string, string>;
};

const MAX_BODY_BYTES = 1024 * 1024;

/**
 * Parses the base URL of a server, as its client is given it. A trailing slash makes no difference.
 * @throws {TypeError} when it is no absolute URL, nor one relative to the page that runs this
 */
export function readBase(url: string | URL): Base {
  const page = (globalThis as { location?: { href: string } }).location?.href;
  let parsed: URL;
  try {
    parsed = new URL(url, page);
  } catch (cause) {
    throw new TypeError(
      `Failed to read the base URL of a server: "${String(url)}" is no URL. Please give it as in http://localhost:4100.`,
      { cause },
    );
  }
  return { origin: parsed.origin, path: parsed.pathname.replace(/\/+$/, '') };
}

/** The path of a request below `base`, with one trailing slash. Undefined: the request goes elsewhere. */
export function pathBelow(base: Base, request: Request): string | undefined {
  const { origin, pathname } = new URL(request.url);
  if (origin !== base.origin || !(pathname === base.path || pathname.startsWith(`${base.path}/`)))
    return undefined;
  const below = pathname.slice(base.path.length);
  return below.endsWith('/') ? below : `${below}/`;
}

/** Returns the headers that let a page of any origin read the reply, with credentials. */
export function corsHeaders(request: Request): Record<string, string> {
  const origin = request.headers.get('origin');
  if (origin === null) return {};
  return {
    Vary: 'Origin',
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Credentials': 'true',
  };
}

/** Creates the handler of one JSON-RPC endpoint. */
export function rpcHandler(options: RpcHandlerOptions): HttpHandler {
  const { base, endpoint, alsoServes = [], notFound } = options;
  const allow = ['POST', 'OPTIONS', ...alsoServes].join(', ');
  return http.all(
    ({ request }) => isAsked(request, options),
    async ({ request }) => {
      const cors = corsHeaders(request);
      if (request.method === 'OPTIONS') return preflight(request, allow, cors);
      if (pathBelow(base, request) !== endpoint)
        return fault(404, { reason: 'not_found', ...notFound }, cors);
      if (request.method !== 'POST') return fault(405, NOT_POST, { ...cors, Allow: allow });
      if (!isJson(request)) return fault(415, NOT_JSON, cors);
      const body = await request.text();
      if (new TextEncoder().encode(body).length > MAX_BODY_BYTES) return fault(413, TOO_LARGE, cors);
      const reply = await options.answer(body);
      return reply.body === undefined
        ? new HttpResponse(null, { status: 204, headers: cors })
        : jsonText(reply.body, 200, cors);
    },
  );
}

const NOT_POST = { reason: 'method_not_allowed', message: 'This endpoint takes JSON-RPC calls by POST.' };
const NOT_JSON = {
  reason: 'unsupported_media_type',
  message: 'The Content-Type must be application/json, in UTF-8 and without Content-Encoding.',
};
const TOO_LARGE = {
  reason: 'too_large',
  message: `The body is larger than ${MAX_BODY_BYTES} bytes.`,
  limit: MAX_BODY_BYTES,
};

export function jsonText(
  body: string,
  status: number,
  headers: Record<string, string>,
): HttpResponse<string> {
  return new HttpResponse(body, {
    status,
    headers: { ...headers, 'Content-Type': 'application/json; charset=utf-8' },
  });
}

function isAsked(
  request: Request,
  { base, endpoint, alsoServes = [], notFound }: RpcHandlerOptions,
): boolean {
  const below = pathBelow(base, request);
  if (below === undefined || alsoServes.includes(request.method)) return false;
  if (below === endpoint) return true;
  // A page may share the base, so only a request that looks like a call with a wrong version is answered.
  return notFound !== undefined && ['POST', 'OPTIONS'].includes(request.method) && /^\/[^/]*\/?$/.test(below);
}

function preflight(request: Request, allow: string, cors: Record<string, string>): HttpResponse<null> {
  const headers = {
    ...cors,
    Allow: allow,
    'Access-Control-Allow-Methods': 'POST',
    'Access-Control-Allow-Headers': request.headers.get('access-control-request-headers') ?? 'content-type',
  };
  return new HttpResponse(null, { status: 204, headers });
}

/** The answer to a request that is no call. */
export function fault(
  status: number,
  error: Record<string, string | number>,
  headers: Record<string, string>,
): HttpResponse<string> {
  return jsonText(JSON.stringify({ error: { status, ...error } }), status, headers);
}

function isJson(request: Request): boolean {
  return request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() === 'application/json';
}
