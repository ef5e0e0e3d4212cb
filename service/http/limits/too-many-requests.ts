/** Answers rejected requests: HTTP 429 with the time to wait, for endpoints and pages alike. */
import type { OutgoingHttpHeaders, RequestListener, ServerResponse } from 'node:http';
import { discardBody } from '../bodies/read-body.ts';
import { corsHeaders } from '../cors.ts';
import { type HttpError, sendHttpError } from '../http-error.ts';
import type { RateLimited, RateLimiter } from './rate-limiter.ts';

const WHAT = {
  address: 'Too many requests came from this address.',
  exchange_token: 'This exchange token was tried too often.',
} as const;

/** Answer 429. */
export function sendTooManyRequests(
  response: ServerResponse,
  rejection: RateLimited,
  headers: OutgoingHttpHeaders,
): HttpError {
  const error = errorOf(rejection);
  if (rejection.endsConnection) response.shouldKeepAlive = false;
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
  return async (request, response) => {
    const path = request.url?.split('?', 1)[0];
    const isProbe = (path === '/healthz' || path === '/readyz') && limiter.isNear(request);
    const rejected = isProbe ? undefined : await limiter.admit(request);
    if (!rejected) {
      pages(request, response);
      return;
    }
    discardBody(request);
    sendTooManyRequests(response, rejected, corsHeaders(request, origins));
  };
}

/** The error to send. `retryAfter` is in whole seconds, as in the header `Retry-After`. */
function errorOf({ limited, retryAfterMs }: RateLimited): HttpError {
  const retryAfter = Math.max(1, Math.ceil(retryAfterMs / 1000));
  const message = `${WHAT[limited]} Please try again in ${retryAfter} ${retryAfter === 1 ? 'second' : 'seconds'}.`;
  return { status: 429, reason: 'too_many_requests', message, limited, retryAfter };
}
