/** What every group of measurements receives to work with. */
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
  /** Shows what is being done now. */
  log(text: string): void;
  /** Called with the generator's load on its core in each slice. */
  onLoad(busy: number): void;
  /** Aborts the run. */
  signal: AbortSignal;
  /** The address of a PostgreSQL server to measure on, if any. */
  postgres: string | undefined;
};

export type Group = {
  id: string;
  /** The description in `--help`. */
  about: string;
  run(bench: Bench): Promise<Table[]>;
};
