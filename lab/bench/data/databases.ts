/** The databases are built once, kept, and copied, so that every run starts from the same state. */
import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { prepareMisSchema } from '#ehr-server/mis/schema.ts';
import { openDatabase } from '#ehr-server/store/sqlite/open-database.ts';
import { migrate } from '#ehr-server/store/sqlite/schema.ts';
import { writePopulation } from '#mis-fixtures/write-population.ts';
import { openSqlite } from '#service/sqlite.ts';
import { FAR_FUTURE_MS, patientIdOf, sessionTokenOf, tokenHash, userOf, userSignOf } from './identities.ts';

/** Increased when kept databases no longer contain what the benchmarks expect. */
const LAYOUT_VERSION = 4;

export type Databases = {
  population(patients: number): Promise<string>;
  /** Returns a separate copy of a database with this many sessions. */
  sessions(count: number): Promise<string>;
  /** Removes the copies made so far. None may be open any more. */
  removeCopies(): void;
  close(): void;
};

/** @param onProgress called with what is being built, and how far it is */
export function openDatabases(directory: string, onProgress: (text: string) => void): Databases {
  // A run that was broken off left its files.
  const own = join(directory, 'run');
  rmSync(own, { recursive: true, force: true });
  mkdirSync(own, { recursive: true });
  const copies: string[] = [];
  const keep = (name: string, build: (file: string) => Promise<unknown>) =>
    buildOnce(join(directory, `${name}-layout-${LAYOUT_VERSION}.sqlite`), join(own, `${name}.sqlite`), build);

  const progressOf = (what: string) => (share: number) =>
    onProgress(`building a database of ${what}: ${Math.floor(100 * share)} %`);

  return {
    async population(patients) {
      const show = progressOf(`${patients} patients`);
      const plan = { patients, seed: 7, locales: ['ru', 'en', 'de'] as const };
      const file = await keep(`patients-${patients}`, (unfinished) =>
        writePopulation({ ...plan, file: unfinished, onProgress: ({ done, total }) => show(done / total) }),
      );
      return upToDate(file, prepareMisSchema);
    },
    async sessions(count) {
      const name = `sessions-${count}`;
      const show = progressOf(`${count} sessions`);
      const kept = await keep(name, (unfinished) => buildSessions(unfinished, count, show));
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

/** Sessions are written in so many parts, by the first byte of their key. */
const PARTS = 64;
const ROWS_PER_CHUNK = 50_000;

/** Fills a new file. Each session is of another linked user. @param onProgress gets the part done, 0 to 1 */
export async function buildSessions(
  file: string,
  count: number,
  onProgress: (share: number) => void,
): Promise<void> {
  const rest = async (share: number) => {
    onProgress(share);
    await new Promise(setImmediate);
  };
  const db = openDatabase(file);
  try {
    // An unfinished file is useless, so nothing waits for the disk.
    for (const pragma of ['synchronous = OFF', 'cache_size = -262144', 'temp_store = MEMORY'])
      db.pragma(pragma);
    migrate(db);
    db.exec('CREATE TEMP TABLE entries (part INTEGER, hash BLOB, session INTEGER); BEGIN');
    const addLink = db.prepare('INSERT INTO links (id, user, patient_id, user_sign) VALUES (?, ?, ?, ?)');
    const addEntry = db.prepare('INSERT INTO temp.entries VALUES (?, ?, ?)');
    for (let user = 0; user < count; user++) {
      addLink.run(user + 1, userOf(user), patientIdOf(user), userSignOf(user));
      const hash = tokenHash(sessionTokenOf(user));
      addEntry.run(Math.floor(((hash[0] as number) * PARTS) / 256), hash, user);
      if (user % ROWS_PER_CHUNK === 0) await rest((0.5 * user) / count);
    }
    db.exec('CREATE INDEX temp.by_part ON entries (part)');
    const addSessions = db.prepare(
      `INSERT INTO sessions (token_hash, record_id, link, stored_at, expires_at, created, recorded)
       SELECT hash, substr(hex(hash), 1, 22), session + 1, 0, ?, NULL, 1 FROM entries WHERE part = ? ORDER BY hash`,
    );
    for (let part = 0; part < PARTS; part++) {
      addSessions.run(FAR_FUTURE_MS, part);
      await rest(0.5 + (0.5 * part) / PARTS);
    }
    db.exec('COMMIT');
    db.pragma('wal_checkpoint(TRUNCATE)');
  } finally {
    db.close();
  }
}
