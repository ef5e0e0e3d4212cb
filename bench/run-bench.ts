/** One run: the programs bundled, the groups one after the other, and everything that was started or copied gone at the end. */
import { join } from 'node:path';
import type { Group } from './bench.ts';
import { openDatabases } from './data/databases.ts';
import { describeMachine, installedVersions } from './machine.ts';
import type { Plan } from './plan.ts';
import { bundle } from './processes/bundle.ts';
import { startLoad } from './processes/load.ts';
import type { Results, Table } from './report/results.ts';

export type RunOptions = {
  /** Of the project. */
  root: string;
  /** Where databases and bundles are kept; below the project, so that the bundles find its packages. */
  directory: string;
  plan: Plan;
  groups: readonly Group[];
  quick: boolean;
  say: (text: string) => void;
  /** Hears of each table when it is complete. */
  onTable?: (table: Table) => void;
  signal: AbortSignal;
  postgres?: string | undefined;
};

/** `failures` says, one sentence each, which groups could not be measured. */
export type Run = { results: Results; failures: string[] };

/**
 * A group that cannot be measured does not cost the figures of the others.
 * @throws the signal's reason when it fires
 */
export async function runBench(options: RunOptions): Promise<Run> {
  const { root, directory, plan, groups, quick, say, onTable, signal, postgres } = options;
  const begun = performance.now();
  say('bundling');
  const bundles = await bundle(root, join(directory, 'bin'));
  const databases = openDatabases({ directory, signal, onProgress: say });
  const load = startLoad(bundles);
  const tables: Table[] = [];
  const failures: string[] = [];
  let loadBusy = 0;
  const sawLoad = (busy: number) => {
    loadBusy = Math.max(loadBusy, busy);
  };
  try {
    for (const group of groups) {
      try {
        for (const table of await group.run({ root, plan, bundles, databases, load, say, sawLoad, signal, postgres })) {
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
