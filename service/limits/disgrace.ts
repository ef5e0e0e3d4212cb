/**
 * Networks that go on asking after they were told to wait, or connect for nothing: their new connections come
 * last, a few in a second.
 */
import { type Clock, systemClock } from '#protocol/clock.ts';
import { boundedMap } from './bounded-map.ts';

export type Disgrace = {
  /** Puts a network, as `networkOf` names it, into disgrace for a while. */
  add(network: string): void;
  /** Hears of a connection that was closed before a request had come in: too many of them are a disgrace. */
  cameToNothing(network: string): void;
  has(network: string): boolean;
};

/** After the last refusal, in milliseconds. */
const LASTS = 2_000;
/** So many connections of one second may come to nothing. */
const SPARED = 20;
const SECOND = 1_000;
const MOST_NETWORKS = 10_000;

export function createDisgrace(clock: Clock): Disgrace {
  const networks = boundedMap<{ endsAt: number }>(MOST_NETWORKS);
  const wasted = boundedMap<{ endsAt: number; count: number }>(MOST_NETWORKS);
  const add = (network: string) => {
    const now = clock.now();
    networks.put(network, { endsAt: now + LASTS }, now);
  };
  return {
    add,
    cameToNothing(network) {
      const now = clock.now();
      const second = wasted.get(network);
      if (!second || second.endsAt <= now || second.endsAt > now + SECOND) {
        wasted.put(network, { endsAt: now + SECOND, count: 1 }, now);
      } else if (++second.count > SPARED) add(network);
    },
    has(network) {
      const entry = networks.get(network);
      if (!entry) return false;
      const left = entry.endsAt - clock.now();
      // More is left than there ever was when the clock was set back.
      return left > 0 && left <= LASTS;
    },
  };
}

/**
 * One for all listeners, as the processor that they share; in real time, because connections know no other.
 */
export const processDisgrace = createDisgrace(systemClock);
