/**
 * Tells when a page is at rest: how long it must stay as it is to be read, and whether it has set itself a
 * short timer after which it goes on.
 */

/** What the kit adds to each page. Not enumerable, so that no page meets it by chance. */
export const IN_PAGE = '__ehrConformance';
/** A timer above this delay (ms) is no pause on the way to a screen: clocks tick each second. */
const MAX_PAUSE_MS = 900;
/**
 * A timer that is set again so soon (ms) after it fired, and so often in a row, ticks for ever: the page is
 * not waited for. A few pauses in a row are on the way to a screen.
 */
const SET_AGAIN_MS = 50;
const MAX_IN_A_ROW = 4;

/**
 * A script for each new page: notes which timers run. `isWaiting` says whether the page goes on by itself
 * soon. A text of JavaScript, as functions would be changed by the tools that build the kit.
 */
export const NOTE_TIMERS = `(() => {
  const { setTimeout: set, clearTimeout: clear } = window;
  const running = new Map(), fired = new Map(), inRow = new Map();
  const now = () => performance.now();
  const isWaiting = () => [...running.values()].some((key) => inRow.get(key) < ${MAX_IN_A_ROW});
  window.setTimeout = (what, delay = 0, ...given) => {
    if (typeof what !== 'function' || delay > ${MAX_PAUSE_MS}) return set(what, delay, ...given);
    const key = delay + ' ' + what;
    inRow.set(key, now() - fired.get(key) < ${SET_AGAIN_MS} ? inRow.get(key) + 1 : 0);
    const id = set(() => {
      running.delete(id);
      fired.set(key, now());
      what(...given);
    }, delay);
    running.set(id, key);
    return id;
  };
  window.clearTimeout = (id) => {
    running.delete(id);
    clear(id);
  };
  Object.defineProperty(window, '${IN_PAGE}', { value: { set, isWaiting } });
})()`;

/** So many reads of a page find out how long it pauses. */
const LEARNING_READS = 4;
/** The quiet time (ms) of these reads, and the bounds of what they find. */
const LEARNING_MS = 300;
const [LEAST_MS, MOST_MS] = [40, 600];

/** How long a page must stay as it is to be read. */
export class QuietTime {
  readonly #given: number | undefined;
  #reads = 0;
  #longestMs = 0;

  /** @param given the quiet time (ms) of the file; undefined: it is found out by the first reads */
  constructor(given?: number) {
    this.#given = given;
  }

  get quietMs(): number {
    if (this.#given !== undefined) return this.#given;
    if (this.#reads < LEARNING_READS) return LEARNING_MS;
    return Math.min(Math.max(2 * this.#longestMs, LEAST_MS), MOST_MS);
  }

  /** Notes the longest time (ms) for which the page stood still before it changed again. */
  learn(pausedMs: number): void {
    this.#reads += 1;
    this.#longestMs = Math.max(this.#longestMs, pausedMs);
  }
}
