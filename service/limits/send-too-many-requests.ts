/** Answers rejected requests: HTTP 429 with the time to wait, for endpoints and pages alike. */
import type { IncomingMessage, OutgoingHttpHeaders, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { whenKnown } from '#protocol/maybe-promise.ts';
import type { RateLimited } from '#protocol/pipeline.ts';
import { corsHeaders } from '../cors.ts';
import { type HttpError, sendHttpError } from '../http-error.ts';
import { discardBody } from '../read-body.ts';
import type { RateLimiter } from './rate-limiter.ts';

const WHAT = {
  address: 'Too many requests came from this address.',
  exchange_token: 'This exchange token was tried too often.',
} as const;

/**
 * The connection is closed after this many rejections. A caller that does not wait must then open a new one.
 */
const MAX_REFUSALS = 5;
const refusals = new WeakMap<Socket, number>();

/** Answer 429. Close the connection with the answer after `MAX_REFUSALS` of them. */
export function sendTooManyRequests(
  { socket }: IncomingMessage,
  response: ServerResponse,
  rejection: RateLimited,
  headers: OutgoingHttpHeaders,
): HttpError {
  const error = errorOf(rejection);
  const refused = (refusals.get(socket) ?? 0) + 1;
  refusals.set(socket, refused);
  if (refused >= MAX_REFUSALS) response.shouldKeepAlive = false;
  sendHttpError(response, error, { ...headers, 'Retry-After': String(error.retryAfter) });
  return error;
}

/**
 * Put pages under the same limit as the endpoint. Health and readiness are exempt for requests of this
 * machine, and of trusted proxies on their own behalf.
 */
export function limitPages(
  pages: RequestListener,
  limiter: RateLimiter,
  origins: ReadonlySet<string>,
): RequestListener {
  return (request, response) => {
    if (isExempt(request, limiter)) {
      pages(request, response);
      return;
    }
    void whenKnown(limiter.admit(request), (rateLimited) => {
      if (!rateLimited) {
        pages(request, response);
        return;
      }
      discardBody(request);
      sendTooManyRequests(request, response, rateLimited, corsHeaders(request, origins));
    });
  };
}

function isExempt(request: IncomingMessage, limiter: RateLimiter): boolean {
  const path = request.url?.split('?', 1)[0];
  return (path === '/healthz' || path === '/readyz') && limiter.isNear(request);
}

/** The error to send. `retryAfter` is in whole seconds, as in the header `Retry-After`. */
function errorOf({ limited, retryAfterMs }: RateLimited): HttpError & { retryAfter: number } {
  const retryAfter = Math.max(1, Math.ceil(retryAfterMs / 1000));
  const message = `${WHAT[limited]} Please try again in ${retryAfter} ${retryAfter === 1 ? 'second' : 'seconds'}.`;
  return { status: 429, reason: 'too_many_requests', message, limited, retryAfter };
}
