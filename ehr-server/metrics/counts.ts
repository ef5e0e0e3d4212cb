/** The counters of the EHR server, as plain numbers: counting must cost a call next to nothing. */
import { ehrMethods } from '#protocol/methods/ehr-methods.ts';
import type { CallReport, Channel } from '#protocol/methods/pipeline.ts';
import type { Limited } from '#service/http/limits/rate-limiter.ts';

/** Values counted in buckets by upper bounds. `counts` has one more bucket, for values beyond all bounds. */
export type Buckets = { readonly bounds: readonly number[]; readonly counts: number[]; sum: number };

/** A count for each value of a label. The values come from our own tables, never from outside. */
export type Tally = Map<string, number>;

export type Counts = {
  /** By method, then channel, then outcome. */
  readonly calls: ReadonlyMap<string, Readonly<Record<Channel, Tally>>>;
  /** Seconds, by method. */
  readonly durations: ReadonlyMap<string, Buckets>;
  readonly httpErrors: Tally;
  readonly rateLimited: Tally;
  readonly storeErrors: Tally;
  readonly commitSizes: Buckets;
  purged: number;
};

/** The counters of one server, and the callbacks that feed them. */
export type Meter = {
  readonly counts: Counts;
  onCall(report: CallReport): void;
  onHttpError(status: number): void;
  onRateLimited(limited: Limited): void;
  onStoreFailure(operation: string): void;
  /** @param size the number of writes in the COMMIT */
  onCommit(size: number): void;
  onPurge(rows: number): void;
};

/** The method name under which calls of unknown methods are counted. */
const UNKNOWN = '(unknown)';

const DURATION_BOUNDS_SECONDS = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5,
];
const COMMIT_SIZE_BOUNDS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];

export function createMeter(): Meter {
  const names = [...Object.keys(ehrMethods), UNKNOWN];
  const counts: Counts = {
    calls: new Map(names.map((name) => [name, { public: new Map(), internal: new Map(), any: new Map() }])),
    durations: new Map(names.map((name) => [name, emptyBuckets(DURATION_BOUNDS_SECONDS)])),
    httpErrors: new Map(),
    rateLimited: new Map(),
    storeErrors: new Map(),
    commitSizes: emptyBuckets(COMMIT_SIZE_BOUNDS),
    purged: 0,
  };
  return {
    counts,
    onCall({ method, channel, reason, durationMs }) {
      const name = counts.calls.has(method) ? method : UNKNOWN;
      const tallies = counts.calls.get(name) as Record<Channel, Tally>;
      count(tallies[channel], reason ?? 'ok');
      if (durationMs !== undefined) observe(counts.durations.get(name) as Buckets, durationMs / 1000);
    },
    onHttpError: (status) => count(counts.httpErrors, String(status)),
    onRateLimited: (limited) => count(counts.rateLimited, limited),
    onStoreFailure: (operation) => count(counts.storeErrors, operation),
    onCommit: (size) => observe(counts.commitSizes, size),
    onPurge(rows) {
      counts.purged += rows;
    },
  };
}

function emptyBuckets(bounds: readonly number[]): Buckets {
  return { bounds, counts: new Array<number>(bounds.length + 1).fill(0), sum: 0 };
}

function count(tally: Tally, value: string): void {
  tally.set(value, (tally.get(value) ?? 0) + 1);
}

function observe(buckets: Buckets, value: number): void {
  let index = 0;
  while (index < buckets.bounds.length && value > (buckets.bounds[index] as number)) index++;
  buckets.counts[index] = (buckets.counts[index] as number) + 1;
  buckets.sum += value;
}
