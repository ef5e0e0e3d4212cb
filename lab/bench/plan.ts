/** How much is measured: by the whole run, by the short run, and by tests. */

export type BenchPlan = {
  /** Sessions in the database, each of another linked patient. */
  sessions: number;
  connections: readonly number[];
  rounds: number;
  /** Milliseconds of one slice that are counted, and of the warm-up before, which are not. */
  sliceMs: number;
  warmUpMs: number;
};

/** The connection count at which targets are judged. Every run measures it. */
export const JUDGED_CONNECTIONS = 32;

export const wholePlan: BenchPlan = {
  sessions: 1_000_000,
  connections: [1, 8, JUDGED_CONNECTIONS, 128],
  // A machine that is slow for some seconds spoils few short slices, and a whole round of long ones.
  rounds: 15,
  sliceMs: 500,
  warmUpMs: 100,
};

export const quickPlan: BenchPlan = {
  ...wholePlan,
  sessions: 200_000,
  connections: [JUDGED_CONNECTIONS],
  rounds: 3,
};
