/** Turning requests away: HTTP 429 with the time to wait, for endpoints and pages alike. */
import type { IncomingMessage, OutgoingHttpHeaders, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { whenKnown } from '#protocol/maybe-promise.ts';
import type { TooMany } from '#protocol/pipeline.ts';
import { corsHeaders } from '../cors.ts';
import { type Fault, sendFault } from '../fault.ts';
import { discardBody } from '../read-body.ts';
import type { Gate } from './gate.ts';

const WHAT = {
  address: 'Too many requests came from this address.',
  exchange_token: 'This exchange token was tried too often.',
} as const;

/** So many refusals on one connection are its last: who does not wait after that has to connect anew each time. */
const PATIENCE = 5;
const refusals = new WeakMap<Socket, number>();

/** Answers that there were too many requests. */
export function turnAway(
  { socket }: IncomingMessage,
  response: ServerResponse,
  verdict: TooMany,
  headers: OutgoingHttpHeaders,
): Fault {
  const fault = tooManyFault(verdict);
  const refused = (refusals.get(socket) ?? 0) + 1;
  refusals.set(socket, refused);
  if (refused >= PATIENCE) response.shouldKeepAlive = false;
  sendFault(response, fault, { ...headers, 'Retry-After': String(fault.retryAfter) });
  return fault;
}

/**
 * Pages under the same limit as the endpoint. Whether the party lives, and whether it is ready, is told without limit to
 * this machine and to believed proxies, which ask for themselves.
 */
export function limitPages(pages: RequestListener, gate: Gate, origins: ReadonlySet<string>): RequestListener {
  return (request, response) => {
    if (isExempt(request, gate)) {
      pages(request, response);
      return;
    }
    void whenKnown(gate.admit(request), (tooMany) => {
      if (!tooMany) {
        pages(request, response);
        return;
      }
      discardBody(request);
      turnAway(request, response, tooMany, corsHeaders(request, origins));
    });
  };
}

function isExempt(request: IncomingMessage, gate: Gate): boolean {
  const path = request.url?.split('?', 1)[0];
  return (path === '/healthz' || path === '/readyz') && gate.isNear(request);
}

/** The fault that says so; `retryAfter` is in whole seconds, as in the header `Retry-After`. */
function tooManyFault({ limited, wait }: TooMany): Fault & { retryAfter: number } {
  const retryAfter = Math.max(1, Math.ceil(wait / 1000));
  const message = `${WHAT[limited]} Please try again in ${retryAfter} ${retryAfter === 1 ? 'second' : 'seconds'}.`;
  return { status: 429, reason: 'too_many_requests', message, limited, retryAfter };
}
