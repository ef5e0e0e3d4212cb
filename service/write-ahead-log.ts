/**
 * Looks whether the write-ahead log of a SQLite database holds all that SQLite counts on. The format is that
 * of https://sqlite.org/fileformat2.html#walformat.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { Database } from 'better-sqlite3';

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** Two random numbers, in the header and in each frame since the log last began anew. */
const SALT_BYTES = 8;
const SALT_OF_HEADER = 16;
const SALT_OF_FRAME = 8;

/**
 * Whether each frame that SQLite counts on begins as it was written. A log that was cut short and written to
 * again has zeros there.
 * @param db outside of a transaction
 */
export function isLogWhole(db: Database, walFile: string): boolean {
  const { log: frames } = db.prepare<[], { log: number }>('PRAGMA wal_checkpoint(NOOP)').get() ?? { log: 0 };
  if (frames <= 0) return true;
  const frameBytes = FRAME_HEADER_BYTES + (db.pragma('page_size', { simple: true }) as number);
  // SQLite takes no lock on this file, so closing it here releases none.
  const descriptor = openSync(walFile, 'r');
  try {
    if (fstatSync(descriptor).size < HEADER_BYTES + frames * frameBytes) return false;
    const salt = saltAt(descriptor, SALT_OF_HEADER);
    if (salt.every((byte) => byte === 0)) return false;
    for (let frame = 0; frame < frames; frame++) {
      if (!salt.equals(saltAt(descriptor, HEADER_BYTES + frame * frameBytes + SALT_OF_FRAME))) return false;
    }
    return true;
  } finally {
    closeSync(descriptor);
  }
}

function saltAt(descriptor: number, position: number): Buffer {
  const salt = Buffer.alloc(SALT_BYTES);
  readSync(descriptor, salt, 0, SALT_BYTES, position);
  return salt;
}
