/** One run: bundles the programs, measures the groups in turn, and removes everything that it has made. */
import { join } from 'node:path';
import { type Bundles, bundle } from './bundle.ts';
import { type Databases, openDatabases } from './data/databases.ts';
import { describeMachine, installedVersions } from './machine.ts';
import type { BenchPlan } from './plan.ts';
import { type Child, isPinning, startChild } from './processes.ts';
import type { Results, ResultTable } from './report/results.ts';

export type Bench = {
  plan: BenchPlan;
  bundles: Bundles;
  databases: Databases;
  load: Child;
  /** Called with the generator's load on its core in each slice. */
  onLoad(busy: number): void;
  log(text: string): void;
};

export type BenchGroup = { id: string; run(bench: Bench): Promise<ResultTable[]> };

export type RunOptions = Pick<Bench, 'plan' | 'log'> & {
  root: string;
  /** Where databases and bundles are kept, inside the project, so that the bundles find its packages. */
  directory: string;
  groups: readonly BenchGroup[];
  onTable: (table: ResultTable) => void;
};

/** A group that fails does not affect the others: `failures` has a sentence for it. */
export async function runBench(options: RunOptions): Promise<{ results: Results; failures: string[] }> {
  const { root, directory, groups, log, onTable } = options;
  log('bundling');
  const bundles = await bundle(root, join(directory, 'bin'));
  const databases = openDatabases(directory, log);
  const load = startChild('load', [bundles('load')]);
  const tables: ResultTable[] = [];
  const failures: string[] = [];
  let loadBusy = 0;
  const onLoad = (busy: number) => {
    loadBusy = Math.max(loadBusy, busy);
  };
  try {
    for (const group of groups) {
      try {
        for (const table of await group.run({ ...options, bundles, databases, load, onLoad })) {
          tables.push(table);
          onTable(table);
        }
      } catch (error) {
        failures.push(`${group.id}: ${(error as Error).message}`);
      }
      databases.removeCopies();
    }
  } finally {
    await load.end();
    databases.close();
  }
  const results: Results = {
    format: 2,
    day: new Date().toISOString().slice(0, 10),
    machine: describeMachine(isPinning),
    versions: installedVersions(root),
    loadBusy: Math.round(100 * loadBusy) / 100,
    tables,
  };
  return { results, failures };
}
