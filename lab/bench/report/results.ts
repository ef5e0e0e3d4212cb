/** The results of a benchmark run: the figures of every round, so that they can be summarised again. */
import { z } from 'zod';

/** One contender under one condition. Figure `n` of every row of a table belongs to the same round. */
const row = z.strictObject({
  /** The condition, such as `32 connections`. */
  case: z.string(),
  of: z.string(),
  values: z.array(z.number()).min(1),
  /** CPU time of the server for one call, in microseconds. */
  cpu: z.array(z.number()),
  /** The 99th percentile of the latency of a call, in milliseconds. */
  p99: z.array(z.number()),
});

const table = z.strictObject({
  id: z.string(),
  title: z.string(),
  /** What exactly was measured, in a sentence or two. */
  about: z.string(),
  rows: z.array(row),
});

export const results = z.strictObject({
  format: z.literal(2),
  /** Day of the run, such as `2026-01-15`. */
  day: z.string(),
  machine: z.strictObject({
    cores: z.number(),
    cpu: z.string(),
    memoryGib: z.number(),
    system: z.string(),
    node: z.string(),
    sqlite: z.string(),
    /** Whether server and load had a core each. */
    pinned: z.boolean(),
  }),
  versions: z.record(z.string(), z.string()),
  /** The largest part of its core that the load generator used in any slice. */
  loadBusy: z.number(),
  tables: z.array(table),
});

export type ResultRow = z.infer<typeof row>;
export type ResultTable = z.infer<typeof table>;
export type Results = z.infer<typeof results>;

export function connectionsCase(count: number): string {
  return count === 1 ? '1 connection' : `${count} connections`;
}
