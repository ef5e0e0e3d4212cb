/** The databases of the benchmarks: built once, kept, and copied for each run, so that every run starts from the same state. */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { prepareMisSchema } from '#ehr-server/mis/schema.ts';
import { migrate } from '#ehr-server/store/schema.ts';
import { writePopulation } from '#mis-fixtures/write-population.ts';
import { openSqlite } from '#service/sqlite.ts';
import { buildSessions, type SessionPlan } from './sessions.ts';

/** Raised when the databases that are kept would no longer hold what the benchmarks expect. */
const LAYOUT = 2;

export type Databases = {
  /** The population of so many patients; nobody writes to it. */
  population(patients: number): Promise<string>;
  /** A copy of its own of a database of so many sessions. */
  sessions(plan: SessionPlan): Promise<string>;
  /** A name for a file or directory that goes with the run. */
  temporary(name: string): string;
  /** Removes the copies that were made so far: nobody has one open any more. */
  removeCopies(): void;
  /** Removes what this run alone has used. */
  close(): void;
};

export type DatabaseOptions = {
  /** Where they are kept. */
  directory: string;
  /** Told what is being built, and how far it is. */
  onProgress?: ((text: string) => void) | undefined;
  signal?: AbortSignal | undefined;
};

export function openDatabases({ directory, onProgress, signal }: DatabaseOptions): Databases {
  mkdirSync(directory, { recursive: true });
  removeLeftovers(directory);
  const own = mkdtempSync(join(directory, `run-${process.pid}-`));
  const copies: string[] = [];

  async function keep(name: string, build: (file: string) => Promise<unknown>): Promise<string> {
    const file = join(directory, `${name}-layout-${LAYOUT}.sqlite`);
    if (existsSync(file)) return file;
    const unfinished = join(own, `${name}.sqlite`);
    await build(unfinished);
    renameSync(unfinished, file);
    return file;
  }

  const tell = (what: string) => (done: number, total: number) =>
    onProgress?.(`building a database of ${what}: ${Math.floor((100 * done) / Math.max(1, total))} %`);

  return {
    async population(patients) {
      const show = tell(`${patients} patients`);
      const file = await keep(`patients-${patients}`, (unfinished) =>
        writePopulation({
          file: unfinished,
          patients,
          seed: 7,
          locales: ['ru', 'en', 'de'],
          signal,
          onProgress: ({ done, total }) => show(done, total),
        }),
      );
      return upToDate(file, prepareMisSchema);
    },
    async sessions(plan) {
      const name = `sessions-${plan.sessions}-of-${plan.users}`;
      const build = (unfinished: string) =>
        buildSessions(unfinished, plan, { signal, onProgress: tell(`${plan.sessions} sessions`) });
      // One whose sessions run out at times of their own is of use on one day only.
      const copy = join(own, `${name}-${copies.length}.sqlite`);
      copies.push(copy);
      if (plan.expiresAt) await build(copy);
      else copyFileSync(upToDate(await keep(name, build), migrate), copy);
      return copy;
    },
    removeCopies() {
      for (const copy of copies) for (const suffix of ['', '-wal', '-shm']) rmSync(copy + suffix, { force: true });
    },
    temporary: (name) => join(own, name),
    close: () => rmSync(own, { recursive: true, force: true }),
  };
}

/** Removes what runs that were killed have left behind. */
function removeLeftovers(directory: string): void {
  for (const name of readdirSync(directory)) {
    const pid = /^run-(\d+)-/.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) rmSync(join(directory, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // A process of somebody else is there, too.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Brings a kept file to the schema of today, or says that it cannot be. */
function upToDate(file: string, prepare: (db: Database) => void): string {
  const db = openSqlite(file);
  try {
    prepare(db);
  } finally {
    db.close();
  }
  return file;
}
