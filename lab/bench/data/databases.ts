/**
 * The databases of the benchmarks. They are built once, kept, and copied for each run, so that every run
 * starts from the same state.
 */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { prepareMisSchema } from '#ehr-server/mis/schema.ts';
import { migrate } from '#ehr-server/store/sqlite/schema.ts';
import { writePopulation } from '#mis-fixtures/write-population.ts';
import { openSqlite } from '#service/sqlite.ts';
import { buildSessions } from './sessions.ts';

/** Increased when kept databases no longer contain what the benchmarks expect. */
const LAYOUT_VERSION = 4;

export type Databases = {
  /** Returns a population of this many patients. No program writes to it. */
  population(patients: number): Promise<string>;
  /** Returns a separate copy of a database with this many sessions. */
  sessions(count: number): Promise<string>;
  /** Removes the copies made so far. None may be open any more. */
  removeCopies(): void;
  /** Removes everything that only this run has used. */
  close(): void;
};

export type DatabaseOptions = {
  /** Where the databases are kept. */
  directory: string;
  /** Called with what is being built, and how far it is. */
  onProgress?: (text: string) => void;
  signal?: AbortSignal;
};

export function openDatabases({ directory, onProgress, signal }: DatabaseOptions): Databases {
  mkdirSync(directory, { recursive: true });
  removeLeftovers(directory);
  const own = mkdtempSync(join(directory, `run-${process.pid}-`));
  const copies: string[] = [];
  const keep = (name: string, build: (file: string) => Promise<unknown>) =>
    buildOnce(join(directory, `${name}-layout-${LAYOUT_VERSION}.sqlite`), join(own, `${name}.sqlite`), build);

  const progressOf = (what: string) => (share: number) =>
    onProgress?.(`building a database of ${what}: ${Math.floor(100 * share)} %`);

  return {
    async population(patients) {
      const show = progressOf(`${patients} patients`);
      const plan = { patients, seed: 7, locales: ['ru', 'en', 'de'] as const, signal };
      const file = await keep(`patients-${patients}`, (unfinished) =>
        writePopulation({ ...plan, file: unfinished, onProgress: ({ done, total }) => show(done / total) }),
      );
      return upToDate(file, prepareMisSchema);
    },
    async sessions(count) {
      const name = `sessions-${count}`;
      const onProgress = progressOf(`${count} sessions`);
      const kept = await keep(name, (unfinished) => buildSessions(unfinished, count, { signal, onProgress }));
      const copy = join(own, `${name}-${copies.length}.sqlite`);
      copies.push(copy);
      copyFileSync(upToDate(kept, migrate), copy);
      return copy;
    },
    removeCopies() {
      for (const copy of copies)
        for (const suffix of ['', '-wal', '-shm']) rmSync(copy + suffix, { force: true });
    },
    close: () => rmSync(own, { recursive: true, force: true }),
  };
}

/** Builds a file under another name, unless it is there already, and returns it. */
async function buildOnce(file: string, unfinished: string, build: (file: string) => Promise<unknown>) {
  if (existsSync(file)) return file;
  await build(unfinished);
  renameSync(unfinished, file);
  return file;
}

/** Removes the files of killed runs. */
function removeLeftovers(directory: string): void {
  for (const name of readdirSync(directory)) {
    const pid = /^run-(\d+)-/.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid)))
      rmSync(join(directory, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // The process exists, but belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Migrates a kept file to the present schema, or reports that this is impossible. */
function upToDate(file: string, prepare: (db: Database) => void): string {
  const db = openSqlite(file);
  try {
    prepare(db);
  } finally {
    db.close();
  }
  return file;
}
