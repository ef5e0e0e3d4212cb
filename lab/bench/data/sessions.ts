/** Fills a database of the EHR server with sessions in the order of their keys, which is fastest. */
import { openDatabase } from '#ehr-server/store/sqlite/open-database.ts';
import { migrate } from '#ehr-server/store/sqlite/schema.ts';
import { FAR_FUTURE_MS, patientIdOf, sessionTokenOf, tokenHash, userOf, userSignOf } from './identities.ts';

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
