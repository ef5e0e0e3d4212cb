/**
 * Defects of an EHR server below the calls, in HTTP: path, method, content type, size, origins, connections.
 * A key is the check that must find the defects below it. A text `id: title` begins a defect; its change of
 * the right server follows, then `owner/repo#number` of public systems that had the defect. `playing` names
 * the scenarios to play for a check that judges the messages of all scenarios.
 */
import type { IncomingMessage } from 'node:http';
import type { EhrChange } from '../../self-test/serve.ts';
import { foundBy } from '../defect.ts';
import { inRequests, inResponses } from './http-messages.ts';

/** An answer of success, whatever was asked. */
const OK = { status: 200, body: '{"jsonrpc":"2.0","result":{},"id":null}' };
/** The path of a request without its query. */
const pathOf = ({ url = '' }: IncomingMessage) => url.split('?')[0] ?? '';

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

/** Take a body of another content type as JSON. */
const takesAsJson = (type: string): EhrChange =>
  inRequests(({ headers }) =>
    headers['content-type']?.startsWith(type)
      ? { headers: { ...headers, 'content-type': 'application/json' } }
      : {},
  );

/** Cut the connection as soon as a whole body has come that `isOdd` picks. */
const cutsConnection = (isOdd: (body: string) => boolean): EhrChange => ({
  http: (listener) => (request, response) => {
    const chunks: Buffer[] = [];
    const destroy = () => isOdd(Buffer.concat(chunks).toString()) && request.socket.destroy();
    request.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', destroy);
    listener(request, response);
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

/** Leave one header out of every response. */
const without = (name: string): EhrChange =>
  inResponses(({ headers }) => ({
    headers: Object.fromEntries(Object.entries(headers).filter(([each]) => each !== name)),
  }));

export const httpDefects = foundBy({
  'path-with-and-without-slash': [
    'slash-required: The path without its slash is not found',
    answersHttp((request) => /\/1\.0-alpha$/.test(pathOf(request)), 404, '{"error":{"reason":"not_found"}}'),
  ],
  'other-version-named': [
    'any-version-served: A call to another version is served',
    inRequests(({ url }) => ({ url: url.replace('0.0-none', '1.0-alpha') })),
    'version-not-named: The answer to a call to another version does not say which is served',
    answersHttp((request) => pathOf(request).includes('0.0-none'), 404, '{"error":{"reason":"not_found"}}'),
  ],
  'other-path-refused': [
    'any-path-served: A call below the path of the endpoint is served',
    inRequests(({ url }) => ({ url: url.replace(/\/more$/, '/') })),
  ],
  'only-post': [
    'get-answered: A GET of the endpoint is answered with HTTP 200',
    answersHttp(({ method }) => method === 'GET', 200),
    'without-allow: The answer to another method has no Allow header',
    without('allow'),
  ],
  'faults-have-json': [
    'faults-in-html: Faults of HTTP are answered by a page',
    inResponses(({ status, body }) => (status >= 400 ? { body: '<h1>No</h1>' } : { body })),
    { playing: ['only-post'] },
  ],
  'only-json': [
    'text-plain-taken: JSON under text/plain is carried out',
    takesAsJson('text/plain'),
    'vaadin/framework#9492',
    'vanilla/vanilla#5489',
    'forms-taken: JSON under the type of a form is carried out',
    takesAsJson('application/x-www-form-urlencoded'),
    'vanilla/vanilla#5489',
  ],
  'json-types-taken': [
    'charset-refused: A type that names a charset is refused',
    answersHttp(({ headers }) => headers['content-type']?.includes(';') ?? false, 415, '{}'),
    'type-in-capitals-refused: A type in another case is refused',
    answersHttp(({ headers }) => /[A-Z]/.test(headers['content-type']?.split(';')[0] ?? ''), 415, '{}'),
  ],
  'size-limited': [
    'size-without-limit: A body of any size is taken',
    answersHttp(({ headers }) => Number(headers['content-length']) > 2 ** 22, 200),
  ],
  'origin-allowed': [
    'origin-not-named: Any origin is allowed by an asterisk',
    allowsOrigin(() => '*'),
    'origin-without-credentials: A page of a configured origin may not send credentials',
    without('access-control-allow-credentials'),
  ],
  'other-origin-refused': [
    'any-origin-reflected: Every origin is reflected, with credentials',
    allowsOrigin((asked) => asked),
    'F3-Nation/f3-nation#361',
    'haierkeys/fast-note-sync-service#244',
    'origin-by-beginning: An origin may call that begins with a configured one',
    allowsOrigin((asked) => (asked.startsWith('http://localhost') ? asked : undefined)),
    'F3-Nation/f3-nation#361',
    'origin-null-allowed: The origin null may call',
    allowsOrigin((asked) => (asked === 'null' ? asked : undefined)),
  ],
  'odd-bodies-answered': [
    'null-cuts-connection: The error handler asks null for its id, and the connection dies',
    cutsConnection((body) => body === 'null'),
    'automagik-dev/genie#2511',
    'uber-archive/multitransport-jsonrpc#64',
    'byte-order-mark-cuts-connection: A byte order mark makes the handler of the parse error fail itself',
    cutsConnection((body) => body.startsWith('\ufeff')),
    'GDKsoftware/Delphi-MCP-Server#17',
    'deep-nesting-cuts-connection: Deep nesting exhausts the stack of the server',
    cutsConnection((body) => body.includes('['.repeat(1_000))),
    'bitcoin/bitcoin#15850',
  ],
});
