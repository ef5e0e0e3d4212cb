/** CORS for configured origins only, with credentials (decision 7). */
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';

const HEADER_NAMES = /^[A-Za-z0-9-]+(?:\s*,\s*[A-Za-z0-9-]+){0,31}$/;

/**
 * Headers that let a page of a configured origin read the reply to `request`; only `Vary` for other origins.
 */
export function corsHeaders(request: IncomingMessage, origins: ReadonlySet<string>): OutgoingHttpHeaders {
  const { origin } = request.headers;
  if (origin === undefined || !origins.has(origin)) return { Vary: 'Origin' };
  return {
    Vary: 'Origin',
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Credentials': 'true',
  };
}

/** Headers for the answer to a preflight. A configured origin may send the headers that it asks for. */
export function preflightHeaders(
  request: IncomingMessage,
  origins: ReadonlySet<string>,
  methods: string,
): OutgoingHttpHeaders {
  const headers = corsHeaders(request, origins);
  if (!('Access-Control-Allow-Origin' in headers)) return headers;
  const asked = request.headers['access-control-request-headers'];
  return {
    ...headers,
    'Access-Control-Allow-Methods': methods,
    'Access-Control-Allow-Headers': asked !== undefined && HEADER_NAMES.test(asked) ? asked : 'content-type',
    'Access-Control-Max-Age': '600',
  };
}
