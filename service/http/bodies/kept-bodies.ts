/**
 * Bounds the memory of bodies that are still coming in: for each address, and in all. A rate alone does not:
 * whoever never ends their bodies lets them pile up.
 */

/** What one address may have lying here, whatever the limit of a body: several that come over slow lines. */
const MIN_BYTES_PER_ADDRESS = 8 * 1024 * 1024;
/** In all there is room for so many addresses that use up theirs. */
const ADDRESSES = 8;
/** What node takes to hold a chunk besides its bytes: bodies of single bytes would take a hundredfold. */
const CHUNK_BYTES = 256;

/** The room that a chunk does not fit in. */
export type Crowded = 'address' | 'all';

/** The bytes that one body takes. */
export type KeptBody = {
  /** Take room for a chunk of this length. What does not fit takes none. */
  take(length: number): Crowded | undefined;
  /** Give all its room back. */
  release(): void;
};

export class KeptBodies {
  readonly #perAddress: number;
  readonly #inAll: number;
  readonly #byAddress = new Map<string, number>();
  #total = 0;

  /** @param bodyLimit the largest body, in bytes */
  constructor(bodyLimit: number) {
    this.#perAddress = Math.max(MIN_BYTES_PER_ADDRESS, 2 * bodyLimit);
    this.#inAll = ADDRESSES * this.#perAddress;
  }

  /** The bytes that all bodies take. */
  get total(): number {
    return this.#total;
  }

  /** Keep a body. `address`: whose it is; undefined where addresses are not told apart. */
  open(address: string | undefined): KeptBody {
    let own = 0;
    const add = (bytes: number) => {
      own += bytes;
      this.#total += bytes;
      if (address === undefined) return;
      const sum = this.#of(address) + bytes;
      if (sum === 0) this.#byAddress.delete(address);
      else this.#byAddress.set(address, sum);
    };
    return {
      take: (length) => {
        const bytes = length + CHUNK_BYTES;
        if (address !== undefined && this.#of(address) + bytes > this.#perAddress) return 'address';
        if (this.#total + bytes > this.#inAll) return 'all';
        add(bytes);
        return undefined;
      },
      release: () => {
        if (own > 0) add(-own);
      },
    };
  }

  #of(address: string): number {
    return this.#byAddress.get(address) ?? 0;
  }
}
