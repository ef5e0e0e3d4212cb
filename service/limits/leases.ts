/**
 * A rate limit as the parties use it. Points are drawn from a share that this process holds, so that few
 * requests wait for the counter.
 */
import type { Clock } from '#protocol/clock.ts';
import { boundedMap } from './bounded-map.ts';

/** How long until another try may succeed. Undefined: the points are granted. */
export type RetryAfterMs = number | undefined;

export type Limit = {
  /** How much one key may consume in one window. */
  readonly points: number;
  /**
   * Draw points for a key. The answer comes at once as long as its share lasts. The promise never rejects.
   */
  take(key: string, points: number): RetryAfterMs | Promise<RetryAfterMs>;
  /** How many keys are remembered. */
  readonly size: number;
};

/** The outcome of a limiter of rate-limiter-flexible, resolved if granted and rejected if not. */
export type Consumed = { consumedPoints: number; msBeforeNext: number };

/** A limiter of rate-limiter-flexible, which counts for all processes that share it. */
export type Counter = { consume(key: string, points: number): Promise<Consumed> };

export type LimitOptions = {
  points: number;
  /** The length of a window. */
  durationMs: number;
  /** How many points are fetched at a time: all of them if no other process uses the counter. */
  share: number;
  clock: Clock;
  /** Creates the counter when the first points are drawn, because the library loads slowly. */
  counter: () => Promise<Counter>;
  /** Called when counting failed. The requests are admitted: a limit that fails must not close the server. */
  onFailure: (error: unknown) => void;
  /** The most keys to remember. */
  maxKeys?: number | undefined;
};

/** The points left of those fetched for one key. `usedUp`: the counter has no more until the window ends. */
type Lease = { points: number; endsAt: number; usedUp: boolean; wanted: number; fetching: Promise<void> | undefined };

/** Open a limit. All processes that share the counter together never grant more than `points` in a window. */
export function openLimit({
  points: limit,
  durationMs,
  share,
  clock,
  counter,
  onFailure,
  maxKeys,
}: LimitOptions): Limit {
  const leases = boundedMap<Lease>(maxKeys);
  let opened: Promise<Counter> | undefined;

  function leaseOf(key: string, now: number): Lease {
    const known = leases.get(key);
    // A lease that ends later than a new one could is from before the clock was set back.
    if (known && (known.fetching !== undefined || (now < known.endsAt && known.endsAt - now <= durationMs)))
      return known;
    const lease: Lease = { points: 0, endsAt: now + durationMs, usedUp: false, wanted: 0, fetching: undefined };
    leases.put(key, lease, now);
    return lease;
  }

  async function fetchShare(key: string, lease: Lease): Promise<void> {
    const asked = Math.min(limit, Math.max(share, lease.wanted));
    let told: Consumed | undefined;
    try {
      opened ??= counter();
      told = await (await opened).consume(key, asked);
      lease.points += asked;
    } catch (error) {
      if (isConsumed(error)) {
        told = error;
        // The points that were left in the window before this fetch are still granted.
        lease.points += Math.max(0, limit - (error.consumedPoints - asked));
        lease.usedUp = true;
      } else {
        opened = undefined;
        lease.points += asked;
        onFailure(error);
      }
    }
    lease.endsAt = clock.now() + Math.min(durationMs, Math.max(1, told?.msBeforeNext ?? durationMs));
  }

  /** Wait for a share. There is one fetch at a time for a key, however many calls wait for it. */
  async function takeLater(key: string, lease: Lease, points: number): Promise<RetryAfterMs> {
    lease.wanted += points;
    try {
      for (;;) {
        lease.fetching ??= fetchShare(key, lease).finally(() => {
          lease.fetching = undefined;
        });
        await lease.fetching;
        const outcome = draw(lease, points, clock.now());
        if (outcome !== 'fetch') return outcome;
      }
    } finally {
      lease.wanted -= points;
    }
  }

  return {
    points: limit,
    take(key, points) {
      const now = clock.now();
      const lease = leaseOf(key, now);
      const outcome = lease.fetching !== undefined ? 'fetch' : draw(lease, points, now);
      return outcome === 'fetch' ? takeLater(key, lease, points) : outcome;
    },
    get size() {
      return leases.size;
    },
  };
}

/** Combine a limit per second with one of a longer window: a steady rate that a burst may exceed. */
export function withBurst(steady: Limit, burst: Limit): Limit {
  const overdraw = (key: string, points: number, wait: RetryAfterMs): RetryAfterMs | Promise<RetryAfterMs> => {
    if (wait === undefined) return undefined;
    const overdrawn = burst.take(key, points);
    // If the next second brings enough points, that is when to try again.
    const told = (burstWait: RetryAfterMs) => (burstWait !== undefined && points <= steady.points ? wait : burstWait);
    return overdrawn instanceof Promise ? overdrawn.then(told) : told(overdrawn);
  };
  return {
    points: steady.points + burst.points,
    take(key, points) {
      const wait = steady.take(key, points);
      return wait instanceof Promise ? wait.then((it) => overdraw(key, points, it)) : overdraw(key, points, wait);
    },
    get size() {
      return steady.size + burst.size;
    },
  };
}

function draw(lease: Lease, points: number, now: number): RetryAfterMs | 'fetch' {
  if (lease.points >= points) {
    lease.points -= points;
    return undefined;
  }
  return lease.usedUp ? Math.max(1, lease.endsAt - now) : 'fetch';
}

function isConsumed(value: unknown): value is Consumed {
  return typeof value === 'object' && value !== null && 'msBeforeNext' in value;
}
