/** A map with a bounded number of entries: a flood of new callers pushes out the oldest. */

export type BoundedMap<Value extends { endsAt: number }> = {
  get(key: string): Value | undefined;
  /** Set an entry as the newest. Remove those that have ended by `now`, and the oldest beyond the bound. */
  put(key: string, value: Value, now: number): void;
  delete(key: string): boolean;
  readonly size: number;
};

/** The most entries: about 30 MB. */
const MAX_ENTRIES = 100_000;

/** Create a map of at most `maxEntries` entries. They all last about as long, so the oldest ends first. */
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
