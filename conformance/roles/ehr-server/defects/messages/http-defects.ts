/** Defects beneath the calls: path, method, type, size, origins, connections. */
import type { IncomingMessage } from 'node:http';
import type { EhrChange } from '../../self-test/serve.ts';
import { defects } from '../defect.ts';
import { inRequests, inResponses } from './http-messages.ts';

const OK = { status: 200, body: '{"jsonrpc":"2.0","result":{},"id":null}' };
const pathOf = ({ url = '' }: IncomingMessage) => url.split('?')[0] ?? '';

/** Answers requests by itself, where `isOwn` says so. */
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

/** Takes a body of another type as JSON. */
const takesAsJson = (type: string): EhrChange =>
  inRequests(({ headers }) =>
    headers['content-type']?.startsWith(type)
      ? { headers: { ...headers, 'content-type': 'application/json' } }
      : {},
  );

const cutsConnection = (isOdd: (body: string) => boolean): EhrChange => ({
  http: (listener) => (request, response) => {
    const chunks: Buffer[] = [];
    const destroy = () => isOdd(Buffer.concat(chunks).toString()) && request.socket.destroy();
    request.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', destroy);
    listener(request, response);
  },
});

const allowsOrigin = (allowed: (asked: string) => string | undefined): EhrChange =>
  inResponses(({ headers }, request) => {
    const asked = request.headers.origin;
    const origin = asked === undefined ? undefined : allowed(asked);
    if (origin === undefined) return {};
    const allow = { 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true' };
    return { headers: { ...headers, ...allow } };
  });

const without = (name: string): EhrChange =>
  inResponses(({ headers }) => ({
    headers: Object.fromEntries(Object.entries(headers).filter(([each]) => each !== name)),
  }));

export const httpDefects = defects({
  'slash-required': {
    title: 'The path without its slash is not found',
    change: answersHttp(
      (request) => /\/1\.0-alpha$/.test(pathOf(request)),
      404,
      '{"error":{"reason":"not_found"}}',
    ),
    caughtBy: 'path-with-and-without-slash',
  },
  'any-version-served': {
    title: 'A call to another version is served',
    change: inRequests(({ url }) => ({ url: url.replace('0.0-none', '1.0-alpha') })),
    caughtBy: 'other-version-named',
  },
  'version-not-named': {
    title: 'The answer to a call to another version does not say which is served',
    change: answersHttp(
      (request) => pathOf(request).includes('0.0-none'),
      404,
      '{"error":{"reason":"not_found"}}',
    ),
    caughtBy: 'other-version-named',
  },
  'any-path-served': {
    title: 'A call below the path of the endpoint is served',
    change: inRequests(({ url }) => ({ url: url.replace(/\/more$/, '/') })),
    caughtBy: 'other-path-refused',
  },
  'get-answered': {
    title: 'A GET of the endpoint is answered with HTTP 200',
    change: answersHttp(({ method }) => method === 'GET', 200),
    caughtBy: 'only-post',
  },
  'without-allow': {
    title: 'The answer to another method has no Allow header',
    change: without('allow'),
    caughtBy: 'only-post',
  },
  'faults-in-html': {
    title: 'Faults of HTTP are answered by a page',
    change: inResponses(({ status, body }) => (status >= 400 ? { body: '<h1>No</h1>' } : { body })),
    caughtBy: 'faults-have-json',
    playing: ['only-post'],
  },
  'text-plain-taken': {
    title: 'JSON under text/plain is carried out',
    change: takesAsJson('text/plain'),
    caughtBy: 'only-json',
    seenIn: ['vaadin/framework#9492', 'vanilla/vanilla#5489'],
  },
  'forms-taken': {
    title: 'JSON under the type of a form is carried out',
    change: takesAsJson('application/x-www-form-urlencoded'),
    caughtBy: 'only-json',
    seenIn: ['vanilla/vanilla#5489'],
  },
  'size-without-limit': {
    title: 'A body of any size is taken',
    change: answersHttp(({ headers }) => Number(headers['content-length']) > 2 ** 22, 200),
    caughtBy: 'size-limited',
  },
  'origin-not-named': {
    title: 'Any origin is allowed by an asterisk',
    change: allowsOrigin(() => '*'),
    caughtBy: 'origin-allowed',
  },
  'origin-without-credentials': {
    title: 'A page of a configured origin may not send credentials',
    change: without('access-control-allow-credentials'),
    caughtBy: 'origin-allowed',
  },
  'any-origin-reflected': {
    title: 'Every origin is reflected, with credentials',
    change: allowsOrigin((asked) => asked),
    caughtBy: 'other-origin-refused',
    seenIn: ['F3-Nation/f3-nation#361', 'haierkeys/fast-note-sync-service#244'],
  },
  'null-cuts-connection': {
    title: 'The error handler asks null for its id, and the connection dies',
    change: cutsConnection((body) => body === 'null'),
    caughtBy: 'odd-bodies-answered',
    seenIn: ['automagik-dev/genie#2511', 'uber-archive/multitransport-jsonrpc#64'],
  },
  'byte-order-mark-cuts-connection': {
    title: 'A byte order mark makes the handler of the parse error fail itself',
    change: cutsConnection((body) => body.startsWith('\ufeff')),
    caughtBy: 'odd-bodies-answered',
    seenIn: ['GDKsoftware/Delphi-MCP-Server#17'],
  },
  'deep-nesting-cuts-connection': {
    title: 'Deep nesting exhausts the stack of the server',
    change: cutsConnection((body) => body.includes('['.repeat(1_000))),
    caughtBy: 'odd-bodies-answered',
    seenIn: ['bitcoin/bitcoin#15850'],
  },
  'origin-by-beginning': {
    title: 'An origin may call that begins with a configured one',
    change: allowsOrigin((asked) => (asked.startsWith('http://localhost') ? asked : undefined)),
    caughtBy: 'other-origin-refused',
    seenIn: ['F3-Nation/f3-nation#361'],
  },
  'origin-null-allowed': {
    title: 'The origin null may call',
    change: allowsOrigin((asked) => (asked === 'null' ? asked : undefined)),
    caughtBy: 'other-origin-refused',
  },
});
