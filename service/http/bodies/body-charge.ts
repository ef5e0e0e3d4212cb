/** Charges one body while it comes in: for its bytes before they are kept, whatever length was announced. */
import type { IncomingMessage } from 'node:http';
import type { RateLimited, RateLimiter } from '../limits/rate-limiter.ts';
import { pointsOf } from './body-cost.ts';
import type { KeptBodies, KeptBody } from './kept-bodies.ts';
import type { BodyRules } from './read-body.ts';

export type ChargeParts = {
  request: IncomingMessage;
  limiter: RateLimiter | undefined;
  kept: KeptBodies;
  /** The points that were charged for the announced length. */
  paid: number;
};

/** Nobody knows when the other bodies of an address end. */
const RETRY_AFTER_MS = 10_000;

export class BodyCharge {
  /** The points that have been charged. */
  paid: number;
  readonly #parts: ChargeParts;
  #kept: KeptBody | undefined;

  constructor(parts: ChargeParts) {
    this.#parts = parts;
    this.paid = parts.paid;
  }

  readonly rules: Pick<BodyRules<RateLimited | 'all'>, 'admit' | 'release'> = {
    admit: (chunk, size) => {
      const { request, limiter } = this.#parts;
      const crowded = this.#open().take(chunk);
      if (crowded === 'address' && limiter) return limiter.reject(request, 'address', RETRY_AFTER_MS);
      if (crowded) return 'all';
      const due = pointsOf(size, 0) - this.paid;
      if (!limiter || due <= 0) return undefined;
      this.paid += due;
      return limiter.admit(request, due);
    },
    release: () => this.#kept?.release(),
  };

  /** A body that comes in one chunk never gets here. */
  #open(): KeptBody {
    if (this.#kept) return this.#kept;
    const { request, limiter, kept } = this.#parts;
    this.#kept = kept.open(limiter?.addressOf(request));
    // A caller that disconnects leaves nothing behind.
    request.on('close', this.#kept.release);
    return this.#kept;
  }
}
