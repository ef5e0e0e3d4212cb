/**
 * The cost of a request body, known before it is parsed. JSON of many small parts can take the parser a
 * hundred times longer than its size suggests.
 */
import type { IncomingMessage } from 'node:http';
import type { RateLimited, RateLimiter } from '../limits/rate-limiter.ts';
import type { KeptBodies, KeptBody } from './kept-bodies.ts';
import type { BodyRules } from './read-body.ts';

/**
 * The most members and elements in one body. A batch of 100 calls with every parameter has about 2,000. The
 * parser takes about 5 ms for 10,000 different names, and more than 100 ms for the 120,000 that fit in 1 MiB.
 */
export const MAX_ELEMENTS = 10_000;

/** A body costs one point of the rate limit for this many members and elements. */
const ELEMENTS_PER_POINT = 100;
/** A body costs one point for this many bytes, where that makes more points. */
const BYTES_PER_POINT = 16 * 1024;
/** The most that a body costs: as much as a whole batch, which every rate limit allows. */
const MAX_POINTS = 100;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING_BRACKET = 0x5b;
const OPENING_BRACE = 0x7b;

/**
 * Count the members and elements of a JSON text in one pass over its bytes, without parsing it. Outside of
 * strings, every opening bracket and every comma counts as one. The count is exact for valid JSON, except
 * that an empty array or object counts as one. In invalid text it is exact up to the first error.
 * @returns at most `limit + 1`: counting stops there
 */
export function countElements(json: Uint8Array, limit: number = MAX_ELEMENTS): number {
  let count = 0;
  for (let at = 0; at < json.length && count <= limit; at++) {
    switch (json[at]) {
      case QUOTE:
        at = endOfString(json, at);
        break;
      case COMMA:
      case OPENING_BRACKET:
      case OPENING_BRACE:
        count++;
        break;
    }
  }
  return count;
}

/** The points of the rate limit that a body costs. A call of usual size costs one. */
export function pointsOf(bytes: number, elements: number): number {
  const points = Math.max(Math.ceil(bytes / BYTES_PER_POINT), Math.ceil(elements / ELEMENTS_PER_POINT));
  return Math.min(MAX_POINTS, Math.max(1, points));
}

/** The index of the quote that closes the string opened at `start`, or the end of the text if none does. */
function endOfString(json: Uint8Array, start: number): number {
  for (let at = start + 1; at < json.length; at++) {
    const byte = json[at];
    if (byte === BACKSLASH) at++;
    else if (byte === QUOTE) return at;
  }
  return json.length;
}

type ChargeParts = {
  request: IncomingMessage;
  limiter: RateLimiter | undefined;
  kept: KeptBodies;
  /** The points that were charged for the announced length. */
  paid: number;
};

/** How long a caller waits whose address has too many bodies coming in: a guess, since they may never end. */
const RETRY_AFTER_MS = 10_000;

/** Charges one body while it comes in: for its bytes before they are kept, whatever length was announced. */
export class BodyCharge {
  /** The points charged so far. */
  paid: number;
  readonly #parts: ChargeParts;
  #kept: KeptBody | undefined;

  constructor(parts: ChargeParts) {
    this.#parts = parts;
    this.paid = parts.paid;
  }

  readonly bodyRules: Pick<BodyRules<RateLimited | 'all'>, 'admit' | 'release'> = {
    admit: (chunk, size) => {
      const { request, limiter } = this.#parts;
      const crowded = this.#keptBody().take(chunk);
      if (crowded === 'address' && limiter) return limiter.reject(request, 'address', RETRY_AFTER_MS);
      if (crowded) return 'all';
      const due = pointsOf(size, 0) - this.paid;
      if (!limiter || due <= 0) return undefined;
      this.paid += due;
      return limiter.admit(request, due);
    },
    release: () => this.#kept?.release(),
  };

  /** The room of this body, opened at its first chunk of several. */
  #keptBody(): KeptBody {
    if (this.#kept) return this.#kept;
    const { request, limiter, kept } = this.#parts;
    this.#kept = kept.open(limiter?.addressOf(request));
    // A caller that disconnects leaves nothing behind.
    request.on('close', this.#kept.release);
    return this.#kept;
  }
}
