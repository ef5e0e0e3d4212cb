/**
 * JSON-RPC over HTTP: one listener for one endpoint path. It runs beside express and not through it, because
 * express costs two thirds of the speed.
 */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, OutgoingHttpHeaders, RequestListener, ServerResponse } from 'node:http';
import { replyText } from '#protocol/envelope.ts';
import { RpcError } from '#protocol/errors.ts';
import { whenKnown } from '#protocol/maybe-promise.ts';
import type { Admit, Answer, Channel, Pipeline } from '#protocol/pipeline.ts';
import type { Exchange } from '#protocol/wire-guard.ts';
import { countElements, MAX_ELEMENTS, pointsOf } from './body-cost.ts';
import { corsHeaders, preflightHeaders } from './cors.ts';
import { atEndOfTurn } from './end-of-turn.ts';
import { type HttpError, sendHttpError, sendJson } from './http-error.ts';
import type { RateLimiter } from './limits/rate-limiter.ts';
import { sendTooManyRequests } from './limits/send-too-many-requests.ts';
import { announcedLength, discardBody, readBody } from './read-body.ts';

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

/** Create the listener of one endpoint. A reply is HTTP 200, a notification 204 (decisions 2 and 3). */
export function rpcListener(endpoint: RpcEndpoint): RequestListener {
  const { limiter, origins } = endpoint;
  const allow = ['POST', 'OPTIONS', ...(endpoint.alsoServes ?? [])].join(', ');
  return (request, response) => {
    const headers = corsHeaders(request, origins);
    if (!limiter) {
      receive(endpoint, allow, request, response, headers);
      return;
    }
    void whenKnown(limiter.admit(request, announcedPoints(request, endpoint.bodyLimit)), (rateLimited) => {
      if (!rateLimited) {
        receive(endpoint, allow, request, response, headers);
        return;
      }
      discardBody(request);
      sendTooManyRequests(request, response, rateLimited, headers);
      endpoint.onHttpError?.(429);
    });
  };
}

/** Read and answer an admitted request, or refuse it if it is not JSON-RPC. */
function receive(
  endpoint: RpcEndpoint,
  allow: string,
  request: IncomingMessage,
  response: ServerResponse,
  headers: OutgoingHttpHeaders,
): void {
  const refuse = (error: HttpError, more?: OutgoingHttpHeaders) => {
    sendHttpError(response, error, { ...headers, ...more });
    endpoint.onHttpError?.(error.status);
  };
  if (request.method === 'OPTIONS') {
    discardBody(request);
    response.writeHead(204, { Allow: allow, ...preflightHeaders(request, endpoint.origins, 'POST') });
    response.end();
    return;
  }
  if (request.method !== 'POST') {
    discardBody(request);
    const message = 'This endpoint takes JSON-RPC calls by POST.';
    refuse({ status: 405, reason: 'method_not_allowed', message }, { Allow: allow });
    return;
  }
  if (!isJson(request)) {
    const message = 'The Content-Type must be application/json, in UTF-8 and without Content-Encoding.';
    discardBody(request);
    refuse({ status: 415, reason: 'unsupported_media_type', message });
    return;
  }
  readBody(request, endpoint.bodyLimit, (body) => {
    if (body === 'too_large') {
      const message = `The body is larger than ${endpoint.bodyLimit} bytes.`;
      refuse({ status: 413, reason: 'too_large', message, limit: endpoint.bodyLimit });
      return;
    }
    const elements = countElements(body);
    const paid = announcedPoints(request, endpoint.bodyLimit);
    const due = pointsOf(body.length, elements);
    void whenKnown(due > paid ? endpoint.limiter?.admit(request, due - paid) : undefined, (rateLimited) => {
      if (rateLimited) {
        sendTooManyRequests(request, response, rateLimited, headers);
        endpoint.onHttpError?.(429);
      } else if (elements > MAX_ELEMENTS) {
        const message = `The body has more than ${MAX_ELEMENTS} members and elements.`;
        refuse({ status: 413, reason: 'too_large', message, limit: MAX_ELEMENTS });
      } else answer(endpoint, body, Math.max(paid, due), request, response, headers);
    });
  });
}

/** The points of a request by its announced length; one for a body that is too long and is not read. */
function announcedPoints(request: IncomingMessage, bodyLimit: number): number {
  const length = announcedLength(request);
  return length > bodyLimit ? 1 : pointsOf(length, 0);
}

/** @param paid the points that the body has cost already */
function answer(
  { pipeline, channel, limiter, onHttpError, onExchange }: RpcEndpoint,
  body: Buffer,
  paid: number,
  request: IncomingMessage,
  response: ServerResponse,
  headers: OutgoingHttpHeaders,
): void {
  const text = decode(body);
  const admit: Admit | undefined = limiter && ((calls) => limiter.admitCalls(request, calls, paid));
  const send = ({ body: reply, rateLimited }: Answer) => {
    if (rateLimited) {
      const error = sendTooManyRequests(request, response, rateLimited, headers);
      onHttpError?.(429);
      onExchange?.({ status: 429, request: text ?? '', reply: JSON.stringify({ error }) });
      return;
    }
    if (reply === undefined) {
      response.writeHead(204, headers);
      response.end();
    } else {
      sendJson(response, 200, reply, headers);
    }
    onExchange?.({ status: reply === undefined ? 204 : 200, request: text ?? '', reply: reply ?? '' });
  };
  const answered = text === undefined ? { body: NOT_UTF8 } : pipeline(text, channel, admit);
  // Replies that waited for a commit come together with the others of that commit.
  if (answered instanceof Promise) void answered.then(send);
  else atEndOfTurn(() => send(answered));
}

const NOT_UTF8 = replyText(
  { id: null, error: new RpcError('parse_error', { errors: ['The body is not UTF-8.'] }).toObject() },
  'echo',
);

const BYTE_ORDER_MARK = 0xfeff;

/** The text of a body without its byte order mark; undefined if the body is not UTF-8. */
function decode(body: Buffer): string | undefined {
  if (!isUtf8(body)) return undefined;
  const text = body.toString();
  return text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
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
  return charset === undefined || ['utf-8', 'utf8'].includes(charset.slice('charset='.length).replaceAll('"', ''));
}
