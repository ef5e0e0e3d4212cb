/** One run: bundles the programs, measures the groups in turn, and removes everything that it has made. */
import { join } from 'node:path';
import { type Child, Children } from '../processes.ts';
import { type Bundles, bundle } from './bundle.ts';
import { type Databases, openDatabases } from './data/databases.ts';
import { describeMachine, installedVersions } from './machine.ts';
import type { BenchPlan } from './plan.ts';
import type { Results, ResultTable } from './report/results.ts';

/** What every group of measurements receives to work with. */
export type Bench = {
  plan: BenchPlan;
  children: Children;
  bundles: Bundles;
  databases: Databases;
  /** The load generator. */
  load: Child;
  /** Called with the generator's load on its core in each slice. */
  onLoad(busy: number): void;
  /** Shows what is being done now. */
  log(text: string): void;
  /** Aborts the run. */
  signal: AbortSignal;
};

export type BenchGroup = {
  id: string;
  /** The description in `--help`. */
  about: string;
  run(bench: Bench): Promise<ResultTable[]>;
};

export type RunOptions = Pick<Bench, 'plan' | 'log' | 'signal'> & {
  root: string;
  /** Where databases and bundles are kept, inside the project, so that the bundles find its packages. */
  directory: string;
  groups: readonly BenchGroup[];
  /** Called with each complete table. */
  onTable: (table: ResultTable) => void;
};

/**
 * Runs all groups. A group that fails does not affect the figures of the others: `failures` has a sentence
 * for it.
 * @throws the signal's reason when it fires
 */
export async function runBench(options: RunOptions): Promise<{ results: Results; failures: string[] }> {
  const { root, directory, groups, log, onTable, signal } = options;
  log('bundling');
  const bundles = await bundle(root, join(directory, 'bin'));
  const databases = openDatabases({ directory, signal, onProgress: log });
  const children = new Children(signal);
  const load = children.start([bundles('load')], { seat: 'load' });
  const tables: ResultTable[] = [];
  const failures: string[] = [];
  let loadBusy = 0;
  const onLoad = (busy: number) => {
    loadBusy = Math.max(loadBusy, busy);
  };
  try {
    for (const group of groups) {
      try {
        for (const table of await group.run({ ...options, bundles, databases, children, load, onLoad })) {
          tables.push(table);
          onTable(table);
        }
      } catch (error) {
        failures.push(`${group.id}: ${(error as Error).message}`);
      }
      signal.throwIfAborted();
      databases.removeCopies();
    }
  } finally {
    await load.end();
    databases.close();
  }
  const results: Results = {
    format: 2,
    day: new Date().toISOString().slice(0, 10),
    machine: describeMachine(children.isPinning),
    versions: installedVersions(root),
    loadBusy: Math.round(100 * loadBusy) / 100,
    tables,
  };
  return { results, failures };
}
