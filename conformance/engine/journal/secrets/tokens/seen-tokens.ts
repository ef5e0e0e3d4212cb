/** Collects the tokens of one kind (session or exchange tokens) in a run, and estimates their random bits. */
import { entropyBounds } from './entropy.ts';

/** Only so many of the newest tokens are compared with each other: a watched session may go on for days. */
const MAX_JUDGED = 1_000;

export class SeenTokens {
  /** Key: the pseudonym. Value: the token. */
  readonly #tokens = new Map<string, string>();
  readonly #bits = new Map<string, number>();
  #isStale = false;

  add(name: string, token: string): boolean {
    if (this.#tokens.has(name)) return false;
    this.#tokens.set(name, token);
    this.#isStale = true;
    return true;
  }

  /** An upper bound of the random bits of a token, from all tokens so far; 0: the token is unknown. */
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
