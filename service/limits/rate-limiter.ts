/** Rate limiter of one listener. Rejects a request before its body is read, and calls before they run. */
import type { IncomingMessage } from 'node:http';
import type { Clock } from '#protocol/clock.ts';
import { type Call, isMalformed, type Malformed } from '#protocol/envelope.ts';
import { type MaybePromise, whenKnown } from '#protocol/maybe-promise.ts';
import type { RateLimited } from '#protocol/pipeline.ts';
import type { Log } from '../log.ts';
import { type ClientAddress, networkOf } from './client-address.ts';
import type { Limit, RetryAfterMs } from './leases.ts';
import { throttledNetworks } from './throttled-networks.ts';

/** What is limited: the requests of one address, or the uses of one exchange token. */
export type Limited = RateLimited['limited'];

export type RateLimiter = {
  /** Charge the client's address this many points, by default one. The promise never rejects. */
  admit(request: IncomingMessage, points?: number): MaybePromise<RateLimited | undefined>;
  /**
   * Charge what the calls of a body cost beyond the points already paid for it (by default one). Either all
   * calls are admitted or none. The promise never rejects.
   */
  admitCalls(
    request: IncomingMessage,
    calls: readonly (Call | Malformed)[],
    paid?: number,
  ): MaybePromise<RateLimited | undefined>;
  /** Whether the request comes from this machine or from a trusted proxy, on its own behalf. */
  isNear(request: IncomingMessage): boolean;
};

export type RateLimiterOptions = {
  client: ClientAddress;
  /** The limit of one address. Absent: no limit. */
  perAddress?: Limit | undefined;
  /** The limit of one exchange token, and the key of the token that a call uses, never the token itself. */
  perExchangeToken?: { limit: Limit; keyOf: (call: Call) => string | undefined } | undefined;
  clock: Clock;
  log: Log;
  /** Called for every rejected request. */
  onRateLimited?: ((limited: Limited) => void) | undefined;
};

const WARN_INTERVAL_MS = 60_000;
const UNLIMITED: Limit = { points: Number.POSITIVE_INFINITY, take: () => undefined, size: 0 };

export function createRateLimiter({
  client,
  perAddress = UNLIMITED,
  perExchangeToken,
  clock,
  log,
  onRateLimited,
}: RateLimiterOptions): RateLimiter {
  const warn = warnSometimes(clock, log);

  function judge(limited: Limited, retryAfterMs: RetryAfterMs, request: IncomingMessage): RateLimited | undefined {
    if (retryAfterMs === undefined) return undefined;
    onRateLimited?.(limited);
    // A proxy is not throttled for what one of its clients does.
    if (limited === 'address') {
      const network = networkOf(request.socket.remoteAddress ?? '');
      if (client.keyOf(request) === network) throttledNetworks.add(network);
    }
    warn(limited, request);
    return { limited, retryAfterMs };
  }

  async function admitSlowly(
    request: IncomingMessage,
    calls: readonly (Call | Malformed)[],
    paid: number,
  ): Promise<RateLimited | undefined> {
    if (calls.length > paid) {
      const rejection = judge('address', await perAddress.take(client.keyOf(request), calls.length - paid), request);
      if (rejection) return rejection;
    }
    for (const [key, attempts] of usesOf(calls, perExchangeToken?.keyOf)) {
      const rejection = judge('exchange_token', await perExchangeToken?.limit.take(key, attempts), request);
      if (rejection) return rejection;
    }
    return undefined;
  }

  return {
    admit(request, points = 1) {
      return whenKnown(perAddress.take(client.keyOf(request), points), (retryAfterMs) =>
        judge('address', retryAfterMs, request),
      );
    },
    admitCalls(request, calls, paid = 1) {
      const [first] = calls;
      // Few bodies are a batch or an attempt to authenticate. All others are admitted without waiting.
      if (calls.length === 1 && first && (isMalformed(first) || perExchangeToken?.keyOf(first) === undefined)) return;
      return admitSlowly(request, calls, paid);
    },
    isNear: (request) => client.isNear(request),
  };
}

/** Count the uses of each exchange token, by its key. */
function usesOf(calls: readonly (Call | Malformed)[], keyOf?: (call: Call) => string | undefined): Map<string, number> {
  const uses = new Map<string, number>();
  for (const call of calls) {
    const key = isMalformed(call) ? undefined : keyOf?.(call);
    if (key !== undefined) uses.set(key, (uses.get(key) ?? 0) + 1);
  }
  return uses;
}

/** Return a function that logs a rejected request, at most once a minute. */
function warnSometimes(clock: Clock, log: Log) {
  let warnedAt: number | undefined;
  return (limited: Limited, request: IncomingMessage) => {
    const now = clock.now();
    if (warnedAt !== undefined && Math.abs(now - warnedAt) < WARN_INTERVAL_MS) return;
    warnedAt = now;
    const isForwarded = request.headers['x-forwarded-for'] !== undefined;
    log.warn({ limited, isForwarded }, 'requests are turned away: too many; said once a minute');
  };
}
