/** Defects of an EHR server in HTTP: content types, origins, cookies and headers. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { isObject } from '#protocol/wire/envelope.ts';
import { tryJson } from '#protocol/wire/json.ts';
import { type Members, membersOf, type RpcCall } from '../../../../engine/defects/rpc-call.ts';
import type { EhrChange, EhrServerParts } from '../../self-test/serve.ts';
import { before, foundBy, READ } from '../changes.ts';

export const bodyOf = (text: string | undefined): unknown =>
  text === undefined ? undefined : tryJson(text)?.value;

export const answersBodies = (answer: (text: string) => string | undefined): EhrChange => ({
  pipeline: (pipeline) => (text, channel) => {
    const body = answer(text);
    return body === undefined ? pipeline(text, channel) : { body };
  },
});

export const inBatches = (
  change: (calls: RpcCall[], parts: EhrServerParts) => unknown[] | undefined | Promise<unknown[] | undefined>,
): EhrChange => ({
  pipeline: (pipeline, parts) => async (text, channel) => {
    const calls = bodyOf(text);
    const isBatch = Array.isArray(calls) && calls.every(isObject);
    const changed = isBatch ? await change(calls as RpcCall[], parts) : undefined;
    return pipeline(changed ? JSON.stringify(changed) : text, channel);
  },
});

const inAnswers = (change: (value: unknown) => unknown): EhrChange => ({
  pipeline: (pipeline) => async (text, channel) => {
    const { body } = await pipeline(text, channel);
    return { body: body === undefined ? undefined : JSON.stringify(change(JSON.parse(body))) };
  },
});

export const inBatchReplies = (change: (replies: Members[]) => unknown): EhrChange =>
  inAnswers((value) => (Array.isArray(value) ? change(value) : value));

export const inReplies = (change: (reply: Members) => unknown): EhrChange =>
  inAnswers((value) => (isObject(value) ? change(value) : value));

export const inErrors = (change: (error: Members) => unknown): EhrChange =>
  inReplies((reply) => ('error' in reply ? { ...reply, error: change(membersOf(reply.error)) } : reply));

export type Asked = { method: string; url: string; headers: IncomingHttpHeaders; body: Buffer };
export type Answered = { status: number; headers: Record<string, string>; body: string };

type Channel = 'public' | 'internal';

export function inRequests(change: (asked: Asked, channel: Channel) => Partial<Asked>): EhrChange {
  return {
    http: (listener, channel) => (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { method = '', url = '', headers } = request;
        const asked = { method, url, headers, body: Buffer.concat(chunks) };
        listener(requestOf({ ...asked, ...change(asked, channel) }, request), response);
      });
    },
  };
}

/** The right server reads a stream with these members: it is cast to a request. */
function requestOf({ body, ...head }: Asked, { socket }: IncomingMessage): IncomingMessage {
  const headers = { ...head.headers, 'content-length': String(body.length) };
  const source = Readable.from(body.length === 0 ? [] : [body]);
  return Object.assign(source, { ...head, headers, socket }) as unknown as IncomingMessage;
}

export function inResponses(
  change: (answered: Answered, request: IncomingMessage) => Partial<Answered>,
): EhrChange {
  return {
    http: (listener) => (request, response) => {
      capture(response, (answered) => ({ ...answered, ...change(answered, request) }));
      listener(request, response);
    },
  };
}

/** Holds a response back until it is complete, and sends what `change` makes of it. */
function capture(response: ServerResponse, change: (answered: Answered) => Answered): void {
  const send = { head: response.writeHead.bind(response), end: response.end.bind(response) };
  const headers: Record<string, string> = {};
  const chunks: Buffer[] = [];
  const take = (chunk: unknown) => {
    // `end` may be called without a chunk. The cast is for one of the types that `from` takes.
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk as string));
  };
  const write = (chunk: unknown) => {
    take(chunk);
    return true;
  };
  const writeHead = (status: number, ...rest: unknown[]) => {
    response.statusCode = status;
    // The headers are the last argument; a text before them is the reason phrase.
    Object.assign(headers, headersIn(rest.at(-1)));
    return response;
  };
  const end = (chunk?: unknown) => {
    take(chunk);
    const own = { ...headersIn(response.getHeaders()), ...headers };
    const body = Buffer.concat(chunks).toString();
    const sent = change({ status: response.statusCode, headers: own, body });
    for (const name of response.getHeaderNames()) response.removeHeader(name);
    const others = Object.fromEntries(
      Object.entries(sent.headers).filter(([name]) => name.toLowerCase() !== 'content-length'),
    );
    send.head(sent.status, {
      ...others,
      ...(sent.status !== 204 && { 'content-length': Buffer.byteLength(sent.body) }),
    });
    send.end(sent.body);
    return response;
  };
  Object.assign(response, { writeHead, end, write });
}

function headersIn(given: unknown): Record<string, string> {
  if (typeof given !== 'object' || given === null) return {};
  const pairs = Array.isArray(given)
    ? Array.from({ length: given.length / 2 }, (_, index) => [given[index * 2], given[index * 2 + 1]])
    : Object.entries(given);
  return Object.fromEntries(pairs.map(([name, value]) => [String(name).toLowerCase(), String(value)]));
}

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
