/** Tells when a page is at rest: it has stayed as it is, and waits for no short timer of its own. */

/** The property of `window` under which each page has {@link NOTE_TIMERS}. No enumeration shows it. */
export const IN_PAGE = '__ehrConformance';
/** Limits the delay (ms) of a timer that is waited for. A clock on a page ticks each second. */
const MAX_PAUSE_MS = 900;
/** A timer that is set within this time (ms) after the same timer fired is the next one in a row. */
const MAX_GAP_MS = 50;
/** A page may pause a few times on the way to a screen. A longer row of timers never ends, as in a clock. */
const MAX_IN_A_ROW = 4;

/** `isWaiting`: a timer will change the page soon. A text: tools that build the kit change functions. */
export const NOTE_TIMERS = `(() => {
  const { setTimeout: set, clearTimeout: clear } = window;
  const running = new Map(), rows = new Map();
  const now = () => performance.now();
  const isWaiting = () => [...running.values()].some(({ length }) => length < ${MAX_IN_A_ROW});
  window.setTimeout = (what, delay = 0, ...given) => {
    if (typeof what !== 'function' || delay > ${MAX_PAUSE_MS}) return set(what, delay, ...given);
    const key = delay + ' ' + what;
    const row = rows.get(key) ?? { length: 0, firedAt: -Infinity };
    rows.set(key, row);
    row.length = now() - row.firedAt < ${MAX_GAP_MS} ? row.length + 1 : 0;
    const id = set(() => {
      running.delete(id);
      row.firedAt = now();
      what(...given);
    }, delay);
    running.set(id, row);
    return id;
  };
  window.clearTimeout = (id) => {
    running.delete(id);
    clear(id);
  };
  Object.defineProperty(window, '${IN_PAGE}', { value: { set, isWaiting } });
})()`;

/** The first reads of a run find out how long its pages pause between two changes. */
const LEARNING_READS = 4;
const LEARNING_MS = 300;
const [MIN_QUIET_MS, MAX_QUIET_MS] = [40, 600];

export class QuietTime {
  readonly #given: number | undefined;
  #reads = 0;
  #longestMs = 0;

  /** @param given the quiet time (ms) of the file; undefined: the first reads find it out */
  constructor(given?: number) {
    this.#given = given;
  }

  get quietMs(): number {
    if (this.#given !== undefined) return this.#given;
    if (this.#reads < LEARNING_READS) return LEARNING_MS;
    return Math.min(Math.max(2 * this.#longestMs, MIN_QUIET_MS), MAX_QUIET_MS);
  }

  learn(pausedMs: number): void {
    this.#reads += 1;
    this.#longestMs = Math.max(this.#longestMs, pausedMs);
  }
}
