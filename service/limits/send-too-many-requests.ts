/** Turning requests away: HTTP 429 with the time to wait, for endpoints and pages alike. */
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

/** So many refusals on one connection are its last: who does not wait after that has to connect anew each time. */
const MAX_REFUSALS = 5;
const refusals = new WeakMap<Socket, number>();

/** Answers that there were too many requests. */
export function sendTooManyRequests(
  { socket }: IncomingMessage,
  response: ServerResponse,
  rejection: RateLimited,
  headers: OutgoingHttpHeaders,
): HttpError {
  const fault = errorOf(rejection);
  const refused = (refusals.get(socket) ?? 0) + 1;
  refusals.set(socket, refused);
  if (refused >= MAX_REFUSALS) response.shouldKeepAlive = false;
  sendHttpError(response, fault, { ...headers, 'Retry-After': String(fault.retryAfter) });
  return fault;
}

/**
 * Pages under the same limit as the endpoint. Whether the party lives, and whether it is ready, is told without limit to
 * this machine and to believed proxies, which ask for themselves.
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

/** The fault that says so; `retryAfter` is in whole seconds, as in the header `Retry-After`. */
function errorOf({ limited, retryAfterMs }: RateLimited): HttpError & { retryAfter: number } {
  const retryAfter = Math.max(1, Math.ceil(retryAfterMs / 1000));
  const message = `${WHAT[limited]} Please try again in ${retryAfter} ${retryAfter === 1 ? 'second' : 'seconds'}.`;
  return { status: 429, reason: 'too_many_requests', message, limited, retryAfter };
}
