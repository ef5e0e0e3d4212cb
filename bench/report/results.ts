/** What a run of the benchmarks leaves behind: figures of every round, so that whoever reads them can summarise anew. */
import { z } from 'zod';

/** One thing measured under one condition; figure `n` of every row of a table is of the same round. */
const row = z.strictObject({
  /** The condition, such as `32 connections`. */
  case: z.string(),
  /** Whom or what was measured. */
  of: z.string(),
  values: z.array(z.number()).min(1),
  /** CPU time of the server for one call, in microseconds. */
  cpu: z.array(z.number()).optional(),
  /** The 99th percentile of the time that a call took, in milliseconds. */
  p99: z.array(z.number()).optional(),
});

const table = z.strictObject({
  id: z.string(),
  title: z.string(),
  /** What exactly was done, in a sentence or two. */
  about: z.string(),
  unit: z.string(),
  better: z.enum(['higher', 'lower']),
  /** To whom the ratios of each case are. */
  base: z.string().optional(),
  rows: z.array(row),
});

export const results = z.strictObject({
  format: z.literal(1),
  /** Day of the run, such as `2026-01-15`. */
  day: z.string(),
  /** Seconds that the whole run took. */
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
  /** The packages that take part, by name. */
  versions: z.record(z.string(), z.string()),
  /** The largest part of its core that the load generator used in any slice. */
  loadBusy: z.number(),
  tables: z.array(table),
});

export type Row = z.infer<typeof row>;
export type Table = z.infer<typeof table>;
export type Results = z.infer<typeof results>;

/** The row of one case and one contender; undefined when it was not measured. */
export function findRow(tables: readonly Table[], id: string, at: string, of: string): Row | undefined {
  return tables.find((one) => one.id === id)?.rows.find((one) => one.case === at && one.of === of);
}
