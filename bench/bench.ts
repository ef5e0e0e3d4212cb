/** What every group of measurements is given to work with. */
import type { Databases } from './data/databases.ts';
import type { Plan } from './plan.ts';
import type { Bundles } from './processes/bundle.ts';
import type { Load } from './processes/load.ts';
import type { Table } from './report/results.ts';

export type Bench = {
  root: string;
  plan: Plan;
  bundles: Bundles;
  databases: Databases;
  load: Load;
  /** Tells what is being done now, for the progress shown. */
  say(text: string): void;
  /** Hears how busy the load generator was in a slice. */
  sawLoad(busy: number): void;
  /** Fires when the run is to stop. */
  signal: AbortSignal;
  /** The address of a PostgreSQL server to measure on, if any. */
  postgres: string | undefined;
};

export type Group = {
  id: string;
  /** For the list in `--help`. */
  about: string;
  run(bench: Bench): Promise<Table[]>;
};
