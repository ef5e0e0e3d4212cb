/** Sends waiting calls of one kind to the database as a batch: one statement, one commit, one round trip. */
import { systemClock } from '#protocol/time/clock.ts';
import { DatabaseAway, isFaultOfOne, retrying } from './connection.ts';

export type BatchQueueOptions<Call, Result> = {
  /** Execute the calls in one transaction. Resolves to their results in the same order. */
  execute: (calls: readonly Call[]) => Promise<Result[]>;
  /**
   * Calls with the same key never share a batch, because a statement does not see its own changes. Two
   * batches under way may have a key in common: either one then waits for the commit of the other.
   */
  keyOf?: (call: Call) => string;
  /** The most batches under way at a time. */
  maxUnderWay: number;
  /** Calls queued longer than this are rejected. */
  maxWaitMs: number;
  /** Called with the number of calls in each batch that succeeded. */
  onBatch?: ((size: number) => void) | undefined;
};

type PendingCall<Call, Result> = {
  call: Call;
  /** When it was queued, by the machine's clock. */
  since: number;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
};

/** A larger batch costs the database more than the commits that it saves. */
const MAX_BATCH_CALLS = 64;
/** Reject new calls once this many are queued: the database has stopped keeping up. */
const MAX_QUEUED_CALLS = 10_000;

export class BatchQueue<Call, Result> {
  readonly #options: BatchQueueOptions<Call, Result>;
  #waiting: PendingCall<Call, Result>[] = [];
  #busy = 0;
  #isScheduled = false;
  #idle: (() => void)[] = [];

  constructor(options: BatchQueueOptions<Call, Result>) {
    this.#options = options;
  }

  /** Resolves to the result of `call` once its transaction is committed. */
  submit(call: Call): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length >= MAX_QUEUED_CALLS)
        throw new Error('Too many calls are waiting for the database.');
      this.#waiting.push({ call, since: systemClock.now(), resolve, reject });
      if (this.#isScheduled) return;
      // Start after the calls of the same tick have come in.
      this.#isScheduled = true;
      setImmediate(() => {
        this.#isScheduled = false;
        this.#start();
      });
    });
  }

  /** Resolves when no call is queued or under way. */
  settled(): Promise<void> {
    if (this.#waiting.length === 0 && this.#busy === 0) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  #start(): void {
    this.#rejectOverdue();
    while (this.#busy < this.#options.maxUnderWay && this.#waiting.length > 0) {
      this.#busy++;
      void this.#execute(this.#takeBatch()).finally(() => {
        this.#busy--;
        this.#start();
      });
    }
    if (this.#busy === 0) for (const resolve of this.#idle.splice(0)) resolve();
  }

  /** Reject calls that have waited too long. While the database is away, each batch takes a while to fail. */
  #rejectOverdue(): void {
    const earliest = systemClock.now() - this.#options.maxWaitMs;
    const oldest = this.#waiting[0];
    if (oldest === undefined || oldest.since >= earliest) return;
    const late = this.#waiting.filter(({ since }) => since < earliest);
    this.#waiting = this.#waiting.filter(({ since }) => since >= earliest);
    for (const { reject } of late) reject(new DatabaseAway());
  }

  #takeBatch(): PendingCall<Call, Result>[] {
    const { keyOf } = this.#options;
    if (!keyOf) return this.#waiting.splice(0, MAX_BATCH_CALLS);
    const group: PendingCall<Call, Result>[] = [];
    const later: PendingCall<Call, Result>[] = [];
    const keys = new Set<string>();
    for (const [index, pending] of this.#waiting.entries()) {
      if (group.length === MAX_BATCH_CALLS) {
        later.push(...this.#waiting.slice(index));
        break;
      }
      const key = keyOf(pending.call);
      if (keys.has(key)) later.push(pending);
      else group.push(pending);
      keys.add(key);
    }
    this.#waiting = later;
    return group;
  }

  /** Execute a batch and settle each of its calls. The promise never rejects. */
  async #execute(group: readonly PendingCall<Call, Result>[]): Promise<void> {
    const calls = group.map(({ call }) => call);
    let results: Result[];
    try {
      results = await retrying(() => this.#options.execute(calls));
    } catch (error) {
      // One bad call must not fail its neighbours, so the halves are tried separately until it is alone.
      if (group.length > 1 && isFaultOfOne(error)) {
        const middle = Math.ceil(group.length / 2);
        await this.#execute(group.slice(0, middle));
        await this.#execute(group.slice(middle));
      } else {
        for (const { reject } of group) reject(error);
      }
      return;
    }
    this.#options.onBatch?.(group.length);
    for (const [index, { resolve }] of group.entries()) resolve(results[index] as Result);
  }
}
