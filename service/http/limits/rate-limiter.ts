/**
 * Rate limiter of one listener. Rejects a request before its body is read, and calls before they run: with HTTP
 * 429 and the time to wait, for endpoints and pages alike.
 */
import type { IncomingMessage, OutgoingHttpHeaders, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import RateLimiterRes from 'rate-limiter-flexible/lib/RateLimiterRes.js';
import type { Clock } from '#protocol/time/clock.ts';
import { type Call, isMalformed, type Malformed } from '#protocol/wire/envelope.ts';
import type { Log } from '../../process/log.ts';
import { discardBody } from '../bodies/read-body.ts';
import { corsHeaders } from '../cors.ts';
import { type HttpError, sendHttpError } from '../http-error.ts';
import type { ClientAddress } from './client-address.ts';
import type { Limit } from './limit.ts';

/** What is limited: the requests of one address, or the uses of one exchange token. */
export type Limited = 'address' | 'exchange_token';

/** A rejection: what is limited, how long until another try may succeed, and whether the connection ends. */
export type RateLimited = { limited: Limited; retryAfterMs: number; endsConnection?: boolean };

export type RateLimiter = {
  /** Charge the client's address this many points, by default one. The promise never rejects. */
  admit(request: IncomingMessage, points?: number): Promise<RateLimited | undefined>;
  /**
   * Charge what the calls of a body cost beyond the points already paid for it. Either all calls are admitted
   * or none. The promise never rejects.
   */
  admitCalls(
    request: IncomingMessage,
    calls: readonly (Call | Malformed)[],
    paid: number,
  ): Promise<RateLimited | undefined>;
  /** The key that the requests of its client are counted by. */
  addressOf(request: IncomingMessage): string;
  /** Turn a request away for what its address takes, and count it as those that are over the limit. */
  reject(request: IncomingMessage, limited: Limited, retryAfterMs: number): RateLimited;
  /** Whether the request comes from this machine or from a trusted proxy, on its own behalf. */
  isNear(request: IncomingMessage): boolean;
};

type RateLimiterOptions = {
  client: ClientAddress;
  perAddress: Limit;
  /** The limit of one exchange token, and the key of the token that a call uses, never the token itself. */
  perExchangeToken?: { limit: Limit; keyOf: (call: Call) => string | undefined } | undefined;
  clock: Clock;
  log: Log;
  /** Called for every rejected request. */
  onRateLimited?: ((limited: Limited) => void) | undefined;
};

/** What a call of `rpc.discover` costs: its document has the size of ten records. */
const DISCOVER_POINTS = 10;
const WARN_INTERVAL_MS = 60_000;
/** Rejections that end a connection: a caller that does not wait must then open a new one. */
const MAX_REJECTIONS = 5;

export function createRateLimiter(options: RateLimiterOptions): RateLimiter {
  const { client, perAddress, perExchangeToken, log, onRateLimited } = options;
  const warn = warnSometimes(options);
  const rejections = new WeakMap<Socket, number>();

  const reject: RateLimiter['reject'] = (request, limited, retryAfterMs) => {
    onRateLimited?.(limited);
    warn(limited, request);
    const count = (rejections.get(request.socket) ?? 0) + 1;
    rejections.set(request.socket, count);
    return { limited, retryAfterMs, endsConnection: count >= MAX_REJECTIONS };
  };
  async function take(limited: Limited, limit: Limit, key: string, points: number, request: IncomingMessage) {
    try {
      await limit.consume(key, points);
      return undefined;
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) {
        // A limit that fails must not close the server.
        log.error({ err: refusal, limit: limited }, 'requests could not be counted, and were let in');
        return undefined;
      }
      return reject(request, limited, refusal.msBeforeNext);
    }
  }
  const admit: RateLimiter['admit'] = (request, points = 1) =>
    take('address', perAddress, client.keyOf(request), points, request);

  return {
    admit,
    async admitCalls(request, calls, paid) {
      const due = calls.reduce((sum, call) => sum + pointsOf(call), -paid);
      const rejected = due > 0 ? await admit(request, due) : undefined;
      if (rejected || !perExchangeToken) return rejected;
      for (const [key, uses] of usesOf(calls, perExchangeToken.keyOf)) {
        const exhausted = await take('exchange_token', perExchangeToken.limit, key, uses, request);
        if (exhausted) return exhausted;
      }
      return undefined;
    },
    addressOf: client.keyOf,
    reject,
    isNear: client.isNear,
  };
}

function pointsOf(call: Call | Malformed): number {
  return !isMalformed(call) && call.method === 'rpc.discover' ? DISCOVER_POINTS : 1;
}

/** Count the uses of each exchange token, by its key. */
function usesOf(
  calls: readonly (Call | Malformed)[],
  keyOf: (call: Call) => string | undefined,
): Map<string, number> {
  const uses = new Map<string, number>();
  for (const call of calls) {
    const key = isMalformed(call) ? undefined : keyOf(call);
    if (key !== undefined) uses.set(key, (uses.get(key) ?? 0) + 1);
  }
  return uses;
}

/** Return a function that logs a rejected request, at most once a minute. */
function warnSometimes({ clock, log }: Pick<RateLimiterOptions, 'clock' | 'log'>) {
  let warnedAt: number | undefined;
  return (limited: Limited, request: IncomingMessage) => {
    const now = clock.now();
    if (warnedAt !== undefined && Math.abs(now - warnedAt) < WARN_INTERVAL_MS) return;
    warnedAt = now;
    const isForwarded = request.headers['x-forwarded-for'] !== undefined;
    log.warn({ limited, isForwarded }, 'requests are turned away: too many; said once a minute');
  };
}

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
