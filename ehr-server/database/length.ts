/** The length that a SQLite database itself states. */
import type { Database } from 'better-sqlite3';

/** The length in bytes, including what is still in the log beside the file. */
export function lengthOf(db: Database): number {
  const number = (name: string) => db.pragma(name, { simple: true }) as number;
  return number('page_count') * number('page_size');
}
