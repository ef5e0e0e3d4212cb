/** What is remembered of each caller, within bounds: a flood of new ones pushes out the oldest and never fills the memory. */

export type BoundedMap<Value extends { endsAt: number }> = {
  get(key: string): Value | undefined;
  /** Sets an entry as the newest; entries that have ended by `now` go, and the oldest ones beyond the bound. */
  put(key: string, value: Value, now: number): void;
  delete(key: string): boolean;
  readonly size: number;
};

/** About 30 MB of entries. */
const MAX_ENTRIES = 100_000;

/** A map of at most `maxEntries` entries. All of them last about as long, so the oldest is the first to end. */
export function boundedMap<Value extends { endsAt: number }>(maxEntries: number = MAX_ENTRIES): BoundedMap<Value> {
  const entries = new Map<string, Value>();
  return {
    get: (key) => entries.get(key),
    put(key, value, now) {
      entries.delete(key);
      entries.set(key, value);
      for (const [oldest, { endsAt }] of entries) {
        if (endsAt > now && entries.size <= maxEntries) break;
        if (oldest === key) break;
        entries.delete(oldest);
      }
    },
    delete: (key) => entries.delete(key),
    get size() {
      return entries.size;
    },
  };
}
