/**
 * JSON-RPC over HTTP: one listener for one endpoint path. It runs beside express and not through it, because
 * express costs two thirds of the speed.
 */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, OutgoingHttpHeaders, RequestListener, ServerResponse } from 'node:http';
import {
  type Answer,
  type Channel,
  type Pipeline,
  type RequestBody,
  readRequest,
  unreadable,
} from '#protocol/methods/pipeline.ts';
import { RpcError } from '#protocol/wire/errors.ts';
import type { Exchange } from '#protocol/wire/violations.ts';
import { BodyCharge, countElements, MAX_ELEMENTS, pointsOf } from './bodies/body-cost.ts';
import { KeptBodies } from './bodies/kept-bodies.ts';
import { announcedLength, discardBody, readBody } from './bodies/read-body.ts';
import { corsHeaders, preflightHeaders } from './cors.ts';
import { type HttpError, sendHttpError, sendJson } from './http-error.ts';
import { type RateLimited, type RateLimiter, sendTooManyRequests } from './limits/rate-limiter.ts';

export type RpcEndpoint = {
  pipeline: Pipeline;
  channel: Channel;
  /** The web origins whose pages may call. */
  origins: ReadonlySet<string>;
  /** The largest body, in bytes. */
  bodyLimit: number;
  /** HTTP methods besides POST that this path serves elsewhere. */
  alsoServes?: readonly string[];
  /** The rate limiter. Absent: no limit. */
  limiter?: RateLimiter | undefined;
  /** Called with the HTTP status of every request that ended with an HTTP error. */
  onHttpError?: ((status: number) => void) | undefined;
  /** Called with every exchange that reached JSON-RPC, unmasked. For tests and the harness only. */
  onExchange?: ((exchange: Exchange) => void) | undefined;
};

/** Whether `url` names the endpoint at `path`, with or without its trailing slash. */
export function asksFor(url: string | undefined, path: string): boolean {
  if (url === undefined) return false;
  const query = url.indexOf('?');
  const asked = query === -1 ? url : url.slice(0, query);
  return asked === path || (path.endsWith('/') && asked === path.slice(0, -1));
}

/** A request that is refused before its calls are run. */
type Refusal = { error: HttpError; headers?: OutgoingHttpHeaders };

/** A request beyond the rate limit. `text`: its body, if its calls have been read. */
type Rejection = { rateLimited: RateLimited; text?: string };

/**
 * Create the listener of one endpoint: read the calls, ask the limiter, run the pipeline. A reply is HTTP
 * 200, a notification 204 (decisions 2 and 3).
 */
export function rpcListener(endpoint: RpcEndpoint): RequestListener {
  const kept = new KeptBodies(endpoint.bodyLimit);
  return async (request, response) => {
    const received = await receive(endpoint, request, kept);
    if (received === 'preflight') answerPreflight(endpoint, request, response);
    else if ('error' in received) refuse(endpoint, request, response, received);
    else if ('rateLimited' in received) reject(endpoint, request, response, received);
    else await run(endpoint, request, response, received);
  };
}

/** Read the calls of a request, and charge its client for them: for the body before it is kept and parsed. */
async function receive(
  endpoint: RpcEndpoint,
  request: IncomingMessage,
  kept: KeptBodies,
): Promise<RequestBody | Refusal | Rejection | 'preflight'> {
  const { limiter, bodyLimit } = endpoint;
  const announced = announcedPoints(request, bodyLimit);
  const rateLimited = limiter && (await limiter.admit(request, announced));
  const wrong = rateLimited ? { rateLimited } : wrongHead(endpoint, request);
  if (wrong) {
    discardBody(request);
    return wrong;
  }
  const charge = new BodyCharge({ request, limiter, kept, paid: announced });
  const body = await readBody(request, { limit: bodyLimit, ...charge.bodyRules });
  if (body === 'too_large') return tooLarge(`The body is larger than ${bodyLimit} bytes.`, bodyLimit);
  if (body === 'all') return { error: CROWDED, headers: { 'Retry-After': '1' } };
  if (!Buffer.isBuffer(body)) return { rateLimited: body };
  const elements = countElements(body);
  const points = Math.max(charge.paid, pointsOf(body.length, elements));
  const tooCostly = limiter && points > charge.paid && (await limiter.admit(request, points - charge.paid));
  if (tooCostly) return { rateLimited: tooCostly };
  if (elements > MAX_ELEMENTS)
    return tooLarge(`The body has more than ${MAX_ELEMENTS} members and elements.`, MAX_ELEMENTS);
  const read = readCallsOf(body);
  const overLimit = limiter && (await limiter.admitCalls(request, read.calls, points));
  return overLimit ? { rateLimited: overLimit, text: read.text } : read;
}

/** The points of a request by its announced length; one for a body that is too long and is not read. */
function announcedPoints(request: IncomingMessage, bodyLimit: number): number {
  const length = announcedLength(request);
  return length > bodyLimit ? 1 : pointsOf(length, 0);
}

/** What to answer to a request without reading its body. */
function wrongHead(endpoint: RpcEndpoint, request: IncomingMessage): Refusal | 'preflight' | undefined {
  if (request.method === 'OPTIONS') return 'preflight';
  if (request.method !== 'POST') {
    const message = 'This endpoint takes JSON-RPC calls by POST.';
    return {
      error: { status: 405, reason: 'method_not_allowed', message },
      headers: { Allow: allowed(endpoint) },
    };
  }
  if (isJson(request)) return undefined;
  const message = 'The Content-Type must be application/json, in UTF-8 and without Content-Encoding.';
  return { error: { status: 415, reason: 'unsupported_media_type', message } };
}

const CROWDED: HttpError = {
  status: 503,
  reason: 'too_busy',
  message: 'Too many requests are under way that are not finished. Please try again.',
};

function tooLarge(message: string, limit: number): Refusal {
  return { error: { status: 413, reason: 'too_large', message, limit } };
}

function allowed({ alsoServes = [] }: RpcEndpoint): string {
  return ['POST', 'OPTIONS', ...alsoServes].join(', ');
}

function answerPreflight(endpoint: RpcEndpoint, request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(204, {
    Allow: allowed(endpoint),
    ...preflightHeaders(request, endpoint.origins, 'POST'),
  });
  response.end();
}

function refuse(
  { origins, onHttpError }: RpcEndpoint,
  request: IncomingMessage,
  response: ServerResponse,
  { error, headers }: Refusal,
): void {
  sendHttpError(response, error, { ...corsHeaders(request, origins), ...headers });
  onHttpError?.(error.status);
}

function reject(
  { origins, onHttpError, onExchange }: RpcEndpoint,
  request: IncomingMessage,
  response: ServerResponse,
  { rateLimited, text }: Rejection,
): void {
  const error = sendTooManyRequests(response, rateLimited, corsHeaders(request, origins));
  onHttpError?.(429);
  if (text !== undefined) onExchange?.({ status: 429, request: text, reply: JSON.stringify({ error }) });
}

/** Run the calls and send their reply. */
async function run(
  { pipeline, channel, origins, onExchange }: RpcEndpoint,
  request: IncomingMessage,
  response: ServerResponse,
  body: RequestBody,
): Promise<void> {
  const headers = corsHeaders(request, origins);
  const send = ({ body: reply }: Answer) => {
    if (reply === undefined) {
      response.writeHead(204, headers);
      response.end();
    } else {
      sendJson(response, 200, reply, headers);
    }
    onExchange?.({ status: reply === undefined ? 204 : 200, request: body.text, reply: reply ?? '' });
  };
  const answered = pipeline(body, channel);
  // Replies that waited for a commit come together with the others of that commit.
  if (answered instanceof Promise) send(await answered);
  else atEndOfTurn(() => send(answered));
}

/** Read the calls of a body. */
function readCallsOf(body: Buffer): RequestBody {
  if (isUtf8(body)) return readRequest(body.toString());
  return unreadable(new RpcError('parse_error', { errors: ['The body is not UTF-8.'] }));
}

function isJson({ headers }: IncomingMessage): boolean {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') return false;
  const given = headers['content-type'] ?? '';
  // Nearly every caller writes it this way.
  if (given === 'application/json') return true;
  const [type, ...parameters] = given.toLowerCase().split(';');
  if (type?.trim() !== 'application/json') return false;
  const charset = parameters.map((item) => item.trim()).find((item) => item.startsWith('charset='));
  return (
    charset === undefined || ['utf-8', 'utf8'].includes(charset.slice('charset='.length).replaceAll('"', ''))
  );
}

let queue: (() => void)[] = [];

/**
 * Do `work` at the end of this tick, together with the other work deferred in it. Replies are sent this way.
 * Waking a sleeping caller costs the sender more than the reply itself, and a caller that gets several
 * replies in a row is woken once.
 */
export function atEndOfTurn(work: () => void): void {
  if (queue.push(work) === 1) setImmediate(doAll);
}

function doAll(): void {
  const works = queue;
  queue = [];
  for (const work of works) work();
}
