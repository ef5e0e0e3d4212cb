/**
 * Networks that go on asking after they were told to wait, or connect for nothing: their new connections come
 * last, a few in a second.
 */
import { type Clock, systemClock } from '#protocol/clock.ts';
import { boundedMap } from './bounded-map.ts';

export type ThrottledNetworks = {
  /** Throttles a network, as `networkOf` names it, for a while. */
  add(network: string): void;
  /** Counts a connection that was closed before a request came in. Too many of them throttle the network. */
  addUnusedConnection(network: string): void;
  has(network: string): boolean;
};

/** Time after the last refusal for which a network is throttled, in milliseconds. */
const PENALTY_MS = 2_000;
/** Unused connections of one network in a second that have no consequence. */
const MAX_UNUSED_PER_SECOND = 20;
const SECOND_MS = 1_000;
const MAX_NETWORKS = 10_000;

export function createThrottledNetworks(clock: Clock): ThrottledNetworks {
  const networks = boundedMap<{ endsAt: number }>(MAX_NETWORKS);
  const wasted = boundedMap<{ endsAt: number; count: number }>(MAX_NETWORKS);
  const add = (network: string) => {
    const now = clock.now();
    networks.put(network, { endsAt: now + PENALTY_MS }, now);
  };
  return {
    add,
    addUnusedConnection(network) {
      const now = clock.now();
      const second = wasted.get(network);
      if (!second || second.endsAt <= now || second.endsAt > now + SECOND_MS) {
        wasted.put(network, { endsAt: now + SECOND_MS, count: 1 }, now);
      } else if (++second.count > MAX_UNUSED_PER_SECOND) add(network);
    },
    has(network) {
      const entry = networks.get(network);
      if (!entry) return false;
      const left = entry.endsAt - clock.now();
      // More is left than there ever was when the clock was set back.
      return left > 0 && left <= PENALTY_MS;
    },
  };
}

/**
 * One for all listeners, as the processor that they share; in real time, because connections know no other.
 */
export const throttledNetworks = createThrottledNetworks(systemClock);
