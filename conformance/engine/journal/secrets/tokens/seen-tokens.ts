/** The tokens of one kind that crossed in a run, and how many bits they have beside each other. */
import { entropyBounds } from './entropy.ts';

/** Only the newest tokens are judged together: a watch may go on for days. */
const MAX_JUDGED = 1_000;

export class SeenTokens {
  /** By pseudonym. */
  readonly #tokens = new Map<string, string>();
  readonly #bits = new Map<string, number>();
  #isStale = false;

  /** Remembers a token. Returns whether it is new. */
  add(name: string, token: string): boolean {
    if (this.#tokens.has(name)) return false;
    this.#tokens.set(name, token);
    this.#isStale = true;
    return true;
  }

  /** An upper bound of the bits in a token, as all tokens so far show it; 0 for an unknown one. */
  bitsOf(name: string): number {
    if (this.#isStale) {
      const newest = [...this.#tokens].slice(-MAX_JUDGED);
      const bounds = entropyBounds(newest.map(([, token]) => token));
      for (const [index, [known]] of newest.entries()) this.#bits.set(known, bounds[index] ?? 0);
      this.#isStale = false;
    }
    return this.#bits.get(name) ?? 0;
  }
}
