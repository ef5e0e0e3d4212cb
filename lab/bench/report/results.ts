/** The results of a benchmark run: the figures of every round, so that they can be summarised again. */
import { z } from 'zod';

/** One thing measured under one condition. Figure `n` of every row of a table belongs to the same round. */
const row = z.strictObject({
  /** The condition, such as `32 connections`. */
  case: z.string(),
  /** The contender, or what else was measured. */
  of: z.string(),
  values: z.array(z.number()).min(1),
  /** CPU time of the server for one call, in microseconds. */
  cpu: z.array(z.number()).optional(),
  /** The 99th percentile of the latency of a call, in milliseconds. */
  p99: z.array(z.number()).optional(),
});

const table = z.strictObject({
  id: z.string(),
  title: z.string(),
  /** What exactly was measured, in a sentence or two. */
  about: z.string(),
  unit: z.string(),
  better: z.enum(['higher', 'lower']),
  /** The contender that is the base of the ratios of each case. */
  base: z.string().optional(),
  rows: z.array(row),
});

export const results = z.strictObject({
  format: z.literal(1),
  /** Day of the run, such as `2026-01-15`. */
  day: z.string(),
  /** Duration of the whole run in seconds. */
  seconds: z.number(),
  quick: z.boolean(),
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
  /** The versions of the packages that take part, by name. */
  versions: z.record(z.string(), z.string()),
  /** The largest part of its core that the load generator used in any slice. */
  loadBusy: z.number(),
  tables: z.array(table),
});

export type ResultRow = z.infer<typeof row>;
export type ResultTable = z.infer<typeof table>;
export type Results = z.infer<typeof results>;

/** Returns the row of one case and one contender, or undefined when it was not measured. */
export function findRow(
  tables: readonly ResultTable[],
  id: string,
  at: string,
  of: string,
): ResultRow | undefined {
  return tables.find((one) => one.id === id)?.rows.find((one) => one.case === at && one.of === of);
}
