/** A limit as the parties use it: points are drawn from a share that this process holds, so that hardly a request waits for whoever counts. */
import type { Clock } from '#protocol/clock.ts';
import { boundedMap } from './bounded-map.ts';

/** Milliseconds until another try may succeed; undefined: granted. */
export type RetryAfterMs = number | undefined;

export type Limit = {
  /** How much one key may consume in one window. */
  readonly points: number;
  /** Draws points for a key; answers at once as long as its share lasts. Never rejects. */
  take(key: string, points: number): RetryAfterMs | Promise<RetryAfterMs>;
  /** How many keys are remembered. */
  readonly size: number;
};

/** What a limiter of rate-limiter-flexible tells, by resolving when the points are granted and by rejecting when not. */
export type Consumed = { consumedPoints: number; msBeforeNext: number };

/** Whoever counts for all: a limiter of rate-limiter-flexible. */
export type Counter = { consume(key: string, points: number): Promise<Consumed> };

export type LimitOptions = {
  points: number;
  /** Length of a window in milliseconds. */
  durationMs: number;
  /** How many points are fetched at a time: all of them where nobody else counts along. */
  share: number;
  clock: Clock;
  /** Made when the first points are drawn, since the library takes its time to load. */
  counter: () => Promise<Counter>;
  /** Hears that nobody could count. The requests are let in: a limit that fails must not close the server. */
  onFailure: (error: unknown) => void;
  /** Keys remembered at the same time. */
  maxKeys?: number | undefined;
};

/** What is left of the points fetched for one key; `usedUp` when the counter has no more until the window ends. */
type Lease = { points: number; endsAt: number; usedUp: boolean; wanted: number; fetching: Promise<void> | undefined };

/** Opens a limit. Over all processes that share the counter never more than `points` are granted in a window. */
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
    // One that ends later than any can that begins now is from before the clock was set back.
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
        // What was left of the window before this request for more is still granted.
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

  /** Waits for a share; one fetch at a time for a key, however many wait for it. */
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

/** Points of a second, and beyond them points of a longer window: a steady rate that may be overdrawn for a moment. */
export function withBurst(steady: Limit, burst: Limit): Limit {
  const overdraw = (key: string, points: number, wait: RetryAfterMs): RetryAfterMs | Promise<RetryAfterMs> => {
    if (wait === undefined) return undefined;
    const overdrawn = burst.take(key, points);
    // The next second brings only so many points.
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
