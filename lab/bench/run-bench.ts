/**
 * One run: bundles the programs, runs the groups in turn, and finally removes everything that was started or
 * copied.
 */
import { join } from 'node:path';
import type { Group } from './bench.ts';
import { openDatabases } from './data/databases.ts';
import { describeMachine, installedVersions } from './machine.ts';
import type { Plan } from './plan.ts';
import { bundle } from './processes/bundle.ts';
import { startLoad } from './processes/load.ts';
import type { Results, Table } from './report/results.ts';

export type RunOptions = {
  /** The root of the project. */
  root: string;
  /** Where databases and bundles are kept: inside the project, so that the bundles find its packages. */
  directory: string;
  plan: Plan;
  groups: readonly Group[];
  quick: boolean;
  log: (text: string) => void;
  /** Called with each complete table. */
  onTable?: (table: Table) => void;
  signal: AbortSignal;
  postgres?: string | undefined;
};

/** `failures` lists the groups that could not be measured, one sentence each. */
export type Run = { results: Results; failures: string[] };

/**
 * Runs all groups. A group that fails does not affect the figures of the others.
 * @throws the signal's reason when it fires
 */
export async function runBench(options: RunOptions): Promise<Run> {
  const { root, directory, plan, groups, quick, log, onTable, signal, postgres } = options;
  const begun = performance.now();
  log('bundling');
  const bundles = await bundle(root, join(directory, 'bin'));
  const databases = openDatabases({ directory, signal, onProgress: log });
  const load = startLoad(bundles);
  const tables: Table[] = [];
  const failures: string[] = [];
  let loadBusy = 0;
  const onLoad = (busy: number) => {
    loadBusy = Math.max(loadBusy, busy);
  };
  try {
    for (const group of groups) {
      try {
        for (const table of await group.run({ root, plan, bundles, databases, load, log, onLoad, signal, postgres })) {
          tables.push(table);
          onTable?.(table);
        }
      } catch (error) {
        failures.push(`${group.id}: ${error instanceof Error ? error.message : String(error)}`);
      }
      signal.throwIfAborted();
      databases.removeCopies();
    }
  } finally {
    await load.stop();
    databases.close();
  }
  const results: Results = {
    format: 1,
    day: new Date().toISOString().slice(0, 10),
    seconds: Math.round((performance.now() - begun) / 1_000),
    quick,
    machine: describeMachine(),
    versions: installedVersions(root),
    loadBusy: Math.round(100 * loadBusy) / 100,
    tables,
  };
  return { results, failures };
}
