/** How much is measured: by the whole run, by the short run, and by tests. */

export type Plan = {
  /** Sessions in the database on which the contenders are compared. */
  sessions: number;
  /** Numbers of sessions at which get_patient is measured, and of the users who own them. */
  sizes: readonly { sessions: number; users: number }[];
  /** Numbers of patients among whom one is searched. */
  populations: readonly number[];
  connections: readonly number[];
  rounds: number;
  /** Milliseconds of one slice that are counted, and of the warm-up before, which are not. */
  sliceMs: number;
  warmUpMs: number;
  /**
   * The warm-up where files of several gigabytes are read at random: by its end nearly all pages are in
   * memory.
   */
  warmUpOfSizesMs: number;
  /** How often a server is started, and the fixtures are written. */
  starts: number;
  fixtureRuns: number;
};

/** The connection count at which targets are judged. Every run measures it. */
export const JUDGED_CONNECTIONS = 32;

export const wholePlan: Plan = {
  sessions: 1_000_000,
  sizes: [
    { sessions: 10_000, users: 10_000 },
    { sessions: 1_000_000, users: 1_000_000 },
    { sessions: 10_000_000, users: 5_000_000 },
  ],
  populations: [10_000, 1_000_000, 5_000_000],
  connections: [1, 8, JUDGED_CONNECTIONS, 128],
  // Many short slices: a machine that is slow for some seconds spoils few of them, but would spoil a round of
  // long ones.
  rounds: 15,
  sliceMs: 500,
  warmUpMs: 100,
  warmUpOfSizesMs: 2_000,
  starts: 11,
  fixtureRuns: 3,
};

/** Two minutes for an overview, without the large sizes and the whole commands. */
export const quickPlan: Plan = {
  sessions: 200_000,
  sizes: [
    { sessions: 10_000, users: 10_000 },
    { sessions: 100_000, users: 100_000 },
  ],
  populations: [10_000, 100_000],
  connections: [JUDGED_CONNECTIONS],
  rounds: 3,
  sliceMs: 500,
  warmUpMs: 100,
  warmUpOfSizesMs: 300,
  starts: 5,
  fixtureRuns: 0,
};
