/**
 * Fills a database of the EHR server with millions of sessions in a minute: rows in the order of their keys,
 * indexes last.
 */
import type { Database } from 'better-sqlite3';
import { openDatabase } from '#ehr-server/store/sqlite/open-database.ts';
import { migrate } from '#ehr-server/store/sqlite/schema.ts';
import {
  exchangeTokenOf,
  FAR_FUTURE_MS,
  patientIdOf,
  sessionTokenOf,
  tokenHash,
  userOf,
  userSignOf,
} from './identities.ts';

export type SessionPlan = {
  sessions: number;
  /** Session `n` belongs to user `n` modulo this. Each user is linked to a patient of the population. */
  users: number;
  /** Returns when session `n` expires. By default all last until the far future. */
  expiresAt?: (session: number) => number;
};

export type BuildOptions = {
  onProgress?: ((done: number, total: number) => void) | undefined;
  signal?: AbortSignal | undefined;
};

const HASH_BYTES = 32;
/** A hash and the number of its session. */
const ENTRY_BYTES = HASH_BYTES + 4;
const ROWS_PER_INSERT = 50;
const ROWS_PER_CHUNK = 20_000;

/**
 * Creates the tables of the EHR server in a new file and fills them.
 * @throws the signal's reason when it has fired; the file is then unusable
 */
export async function buildSessions(file: string, plan: SessionPlan, options: BuildOptions = {}): Promise<void> {
  const db = openForBuilding(file);
  try {
    migrate(db);
    const restoreIndexes = setIndexesAside(db, 'sessions');
    const chunks = chunksOf(plan.users + 2 * plan.sessions, options);
    db.exec('BEGIN');
    await putLinks(db, plan.users, chunks);
    await putSessions(db, plan, chunks);
    restoreIndexes();
    db.exec('COMMIT');
    db.pragma('wal_checkpoint(TRUNCATE)');
  } finally {
    db.close();
  }
}

/**
 * Adds exchange tokens to a built file. The n-th is for `users[n modulo their number]` and opens its own
 * session. The user is linked if necessary.
 */
export function addExchangeTokens(file: string, count: number, users: readonly number[]): void {
  const db = openForBuilding(file);
  try {
    const insert = db.prepare(
      `INSERT INTO exchange_tokens (hash, record_id, user, session_hash, session_lifetime, session_created, expires_at)
       VALUES (?, ?, ?, ?, ?, NULL, ?)`,
    );
    db.exec('BEGIN');
    const link = db.prepare('INSERT OR IGNORE INTO links (user, patient_id, user_sign) VALUES (?, ?, ?)');
    for (const user of users) link.run(userOf(user), patientIdOf(user), userSignOf(user));
    for (let number = 0; number < count; number++) {
      const hash = tokenHash(exchangeTokenOf(number));
      const user = userOf(users[number % users.length] as number);
      insert.run(hash, recordIdOf(hash), user, tokenHash(`opened-by-${number}`), 3_600_000, FAR_FUTURE_MS);
    }
    db.exec('COMMIT');
    db.pragma('wal_checkpoint(TRUNCATE)');
  } finally {
    db.close();
  }
}

/**
 * Opens the file as the server does, but without waiting for the disk: an incomplete file is useless anyway.
 */
function openForBuilding(file: string): Database {
  const db = openDatabase(file);
  db.pragma('synchronous = OFF');
  db.pragma('cache_size = -262144');
  db.pragma('temp_store = MEMORY');
  return db;
}

/** Drops the indexes of a table. The returned function recreates them from the text of the schema. */
function setIndexesAside(db: Database, table: string): () => void {
  const indexes = db
    .prepare<[string], { name: string; sql: string }>(
      "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL",
    )
    .all(table);
  for (const { name } of indexes) db.exec(`DROP INDEX ${name}`);
  return () => {
    for (const { sql } of indexes) db.exec(sql);
  };
}

/**
 * Divides long work into chunks. `isDue` counts a piece of work and tells whether a chunk is complete; `rest`
 * then reports progress and yields to the event loop.
 */
type Chunks = { isDue(): boolean; rest(): Promise<void> };

function chunksOf(total: number, { onProgress, signal }: BuildOptions): Chunks {
  let done = 0;
  return {
    isDue: () => ++done % ROWS_PER_CHUNK === 0 || done === total,
    async rest() {
      onProgress?.(done, total);
      await new Promise((resolve) => setImmediate(resolve));
      signal?.throwIfAborted();
    },
  };
}

async function putLinks(db: Database, users: number, chunks: Chunks): Promise<void> {
  const insert = db.prepare('INSERT INTO links (id, user, patient_id, user_sign) VALUES (?, ?, ?, ?)');
  for (let user = 0; user < users; user++) {
    insert.run(linkIdOf(user), userOf(user), patientIdOf(user), userSignOf(user));
    if (chunks.isDue()) await chunks.rest();
  }
}

async function putSessions(db: Database, plan: SessionPlan, chunks: Chunks): Promise<void> {
  const { sessions, users, expiresAt = () => FAR_FUTURE_MS } = plan;
  const row = '(?, ?, ?, 0, ?, NULL, 1)';
  const head = 'INSERT INTO sessions (token_hash, record_id, link, stored_at, expires_at, created, recorded) VALUES ';
  const insertOne = db.prepare<unknown[]>(head + row);
  const insertMany = db.prepare<unknown[]>(head + Array<string>(ROWS_PER_INSERT).fill(row).join(', '));
  let values: unknown[] = [];
  for (const entry of await sortedEntries(sessions, chunks)) {
    const hash = entry.subarray(0, HASH_BYTES);
    const session = entry.readUInt32LE(HASH_BYTES);
    values.push(hash, recordIdOf(hash), linkIdOf(session % users), expiresAt(session));
    if (values.length === ROWS_PER_INSERT * 4) {
      insertMany.run(values);
      values = [];
    }
    if (chunks.isDue()) await chunks.rest();
  }
  for (let at = 0; at < values.length; at += 4) insertOne.run(values.slice(at, at + 4));
}

/**
 * Returns hashes and numbers of all sessions in the order of the hashes: sorted into buckets by their first
 * two bytes, then within each bucket.
 */
async function sortedEntries(sessions: number, chunks: Chunks): Promise<Iterable<Buffer>> {
  const unsorted = Buffer.allocUnsafe(sessions * ENTRY_BYTES);
  const starts = new Uint32Array(65_537);
  for (let session = 0; session < sessions; session++) {
    const at = session * ENTRY_BYTES;
    tokenHash(sessionTokenOf(session)).copy(unsorted, at);
    unsorted.writeUInt32LE(session, at + HASH_BYTES);
    const bucket = unsorted.readUInt16BE(at) + 1;
    starts[bucket] = (starts[bucket] as number) + 1;
    if (chunks.isDue()) await chunks.rest();
  }
  for (let bucket = 1; bucket < starts.length; bucket++) {
    starts[bucket] = (starts[bucket] as number) + (starts[bucket - 1] as number);
  }
  const places = new Uint32Array(sessions);
  const filled = starts.slice();
  for (let session = 0; session < sessions; session++) {
    const bucket = unsorted.readUInt16BE(session * ENTRY_BYTES);
    const place = filled[bucket] as number;
    places[place] = session;
    filled[bucket] = place + 1;
  }
  return inOrder(unsorted, starts, places);
}

function* inOrder(unsorted: Buffer, starts: Uint32Array, places: Uint32Array): Generator<Buffer> {
  for (let bucket = 0; bucket < starts.length - 1; bucket++) {
    const members = places.subarray(starts[bucket], starts[bucket + 1]);
    const entries = Array.from(members, (session) =>
      unsorted.subarray(session * ENTRY_BYTES, (session + 1) * ENTRY_BYTES),
    );
    yield* entries.sort(Buffer.compare);
  }
}

/** Link ids start at 1. */
const linkIdOf = (user: number) => user + 1;

/** Returns a record id of the same length as the server's. */
function recordIdOf(hash: Buffer): string {
  return hash.subarray(0, 16).toString('base64url');
}
