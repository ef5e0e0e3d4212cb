/** Defects of an EHR server in HTTP: content types, origins, cookies and headers. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isObject } from '#protocol/wire/envelope.ts';
import type { Members } from '../../../../engine/defects/rpc-call.ts';
import type { EhrChange } from '../../self-test/serve.ts';
import { before, foundBy } from '../changes.ts';
import { READ } from '../methods.ts';
import { bodyOf, inRequests, inResponses } from './bodies.ts';

const OK = { status: 200, body: '{"jsonrpc":"2.0","result":{},"id":null}' };

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

/** Allow the origin that `allowed` returns; undefined: answer as the right server does. */
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
});

const NAMES = ['names-keep-their-letters'];

const cookie = ({ cookie: all = '' }: IncomingHttpHeaders, name: string) =>
  new RegExp(`(?:^|; )${name}=([^;]*)`).exec(all)?.[1];

/** `isFirst`: the header counts before the cred; otherwise only where the call has no cred. */
const takesToken = (
  methods: readonly string[],
  tokenIn: (headers: IncomingHttpHeaders) => string | undefined,
  isFirst = false,
): EhrChange => ({
  ...before(methods, ({ call, seen }) => {
    const session = seen.sessions.find(({ token }) => token === call.tokenOfHeader);
    return session && (isFirst || call.cred === undefined) ? { ...call, cred: session } : undefined;
  }),
  ...inRequests(({ headers, body }) => {
    const call = bodyOf(body.toString());
    const tokenOfHeader = tokenIn(headers);
    if (tokenOfHeader === undefined || !isObject(call)) return {};
    return { body: Buffer.from(JSON.stringify({ ...(call as Members), tokenOfHeader })) };
  }),
});

const inLetters = (change: (body: string) => string): EhrChange =>
  inResponses(({ body }) => (/\P{ASCII}/u.test(body) ? { body: change(body) } : {}));

export const headerDefects = foundBy({
  'cookies-open-nothing': [
    'cookie-reads: get_patient without a cred takes the session of a cookie',
    takesToken([READ], (headers) => cookie(headers, 'token')),
  ],
  'headers-choose-nobody': [
    'cookie-before-cred: A cookie counts before the cred of the call',
    takesToken([READ], (headers) => cookie(headers, 'sid'), true),
  ],
  'replies-are-whole': [
    'length-in-letters: The length of a reply is counted in letters, and the rest is cut',
    inLetters((body) => Buffer.from(body).subarray(0, body.length).toString()),
    { playing: NAMES },
  ],
});
