/**
 * Defects of an EHR server below the calls, in HTTP: path, method, content type, size, origins, connections.
 * A key is the check that must find the defects below it. A text `id: title` begins a defect; its change of
 * the right server follows. `playing` names the scenarios to play for a check that judges the messages of all
 * scenarios.
 */
import type { IncomingMessage } from 'node:http';
import type { EhrChange } from '../../self-test/serve.ts';
import { foundBy } from '../defect.ts';
import { inResponses } from './http-messages.ts';

/** An answer of success, whatever was asked. */
const OK = { status: 200, body: '{"jsonrpc":"2.0","result":{},"id":null}' };

/** Answer requests that `isOwn` picks with this status and body, without the right server. */
const answersHttp = (
  isOwn: (request: IncomingMessage) => boolean,
  status: number,
  body = OK.body,
): EhrChange => ({
  http: (listener) => (request, response) => {
    if (!isOwn(request)) {
      listener(request, response);
      return;
    }
    request.resume();
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  },
});

/**
 * Allow the origin that `allowed` returns for the Origin of a request; undefined: answer as the right server
 * does.
 */
const allowsOrigin = (allowed: (asked: string) => string | undefined): EhrChange =>
  inResponses(({ headers }, request) => {
    const asked = request.headers.origin;
    const origin = asked === undefined ? undefined : allowed(asked);
    if (origin === undefined) return {};
    const allow = { 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true' };
    return { headers: { ...headers, ...allow } };
  });

export const httpDefects = foundBy({
  'json-types-taken': [
    'charset-refused: A type that names a charset is refused',
    answersHttp(({ headers }) => headers['content-type']?.includes(';') ?? false, 415, '{}'),
  ],
  'origin-allowed': ['origin-not-named: Any origin is allowed by an asterisk', allowsOrigin(() => '*')],
  'other-origin-refused': [
    'any-origin-reflected: Every origin is reflected, with credentials',
    allowsOrigin((asked) => asked),
  ],
  'odd-bodies-answered': [],
});
