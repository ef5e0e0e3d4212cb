/** One run: bundles the programs, measures the groups in turn, and removes everything that it has made. */
import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { openSqlite } from '#service/sqlite.ts';
import { type Databases, openDatabases } from './data/databases.ts';
import type { BenchPlan } from './plan.ts';
import { type Bundles, bundle, type Child, isPinning, startChild } from './programs.ts';
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
    machine: describeMachine(),
    versions: installedVersions(root),
    loadBusy: Math.round(100 * loadBusy) / 100,
    tables,
  };
  return { results, failures };
}

const GIB = 2 ** 30;
const PACKAGES = ['express', 'better-sqlite3', 'zod', 'pino'];

/** The machine and the versions behind the figures, without the machine's name. */
function describeMachine(): Results['machine'] {
  const db = openSqlite(':memory:');
  const sqlite = db.prepare('SELECT sqlite_version()').pluck().get() as string;
  db.close();
  return {
    cores: availableParallelism(),
    cpu: (cpus()[0]?.model ?? 'unknown').trim().replace(/\s+/g, ' '),
    memoryGib: Math.round((10 * totalmem()) / GIB) / 10,
    system: `${type()} ${/^\d+\.\d+/.exec(release())?.[0] ?? ''}`.trim(),
    node: process.versions.node,
    sqlite,
    pinned: isPinning,
  };
}

function installedVersions(root: string): Record<string, string> {
  return Object.fromEntries(
    PACKAGES.map((name) => {
      const file = join(root, 'node_modules', name, 'package.json');
      return [name, (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version];
    }),
  );
}
