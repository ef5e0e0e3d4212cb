/** Keeps the newest of what comes, within a number and a size: a stranger could fill the memory otherwise. */
export type Limits = {
  readonly maxItems: number;
  /** All kept items together, as JSON. */
  readonly maxChars: number;
};

export class Newest<T> {
  readonly #limits: Limits | undefined;
  readonly #items = new Map<number, { item: T; chars: number }>();
  #chars = 0;

  /** @param limits without them everything is kept */
  constructor(limits?: Limits) {
    this.#limits = limits;
  }

  /** All items, the oldest first. */
  get items(): T[] {
    return Array.from(this.#items.values(), ({ item }) => item);
  }

  get(key: number): T | undefined {
    return this.#items.get(key)?.item;
  }

  /** Adds an item. One of a known key takes the place of the earlier one. */
  set(key: number, item: T): void {
    const chars = this.#limits ? JSON.stringify(item).length : 0;
    this.#chars += chars - (this.#items.get(key)?.chars ?? 0);
    this.#items.set(key, { item, chars });
    if (!this.#limits) return;
    const { maxItems, maxChars } = this.#limits;
    for (const [oldest, old] of this.#items) {
      if (this.#items.size <= maxItems && this.#chars <= maxChars) return;
      this.#items.delete(oldest);
      this.#chars -= old.chars;
    }
  }

  clear(): void {
    this.#items.clear();
    this.#chars = 0;
  }
}
