/** How much is measured: the whole, the short run, and what tests use. */

export type Plan = {
  /** Sessions in the database where the contenders are compared. */
  sessions: number;
  /** Sessions at which get_patient is measured, and the users whose they are. */
  sizes: readonly { sessions: number; users: number }[];
  /** Patients among whom one is searched. */
  populations: readonly number[];
  connections: readonly number[];
  rounds: number;
  /** Counted milliseconds of one slice, and those before it that are not. */
  slice: number;
  warmUp: number;
  /** The same where files of several gigabytes are read at random, until hardly a call is the first to ask for a page. */
  warmUpOfSizes: number;
  /** Sessions that run out for each round of the purge. */
  purged: number;
  /** How often a server, the demo and a whole command are started. */
  starts: number;
  demoStarts: number;
  fixtureRuns: number;
  commandRuns: number;
};

/** Where targets are judged; every run measures there. */
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
  // Many short ones: a machine that is slow for some seconds spoils a round of long slices, and few of many short ones.
  rounds: 15,
  slice: 500,
  warmUp: 100,
  warmUpOfSizes: 2_000,
  purged: 100_000,
  starts: 11,
  demoStarts: 3,
  fixtureRuns: 3,
  commandRuns: 1,
};

/** Two minutes for a look at where things are; the large sizes and the whole commands are left out. */
export const quickPlan: Plan = {
  sessions: 100_000,
  sizes: [
    { sessions: 10_000, users: 10_000 },
    { sessions: 100_000, users: 100_000 },
  ],
  populations: [10_000, 100_000],
  connections: [JUDGED_CONNECTIONS],
  rounds: 3,
  slice: 500,
  warmUp: 100,
  warmUpOfSizes: 300,
  purged: 50_000,
  starts: 5,
  demoStarts: 1,
  fixtureRuns: 0,
  commandRuns: 0,
};
