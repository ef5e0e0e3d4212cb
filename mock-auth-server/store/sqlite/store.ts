/** The store on SQLite. Each change is on the disk when its call returns. */
import type { Database } from 'better-sqlite3';
import { watchDatabase } from '#service/database-file.ts';
import type { Log } from '#service/process/log.ts';
import { rowKeeper } from '#service/sqlite-rows.ts';
import { deleteUserFrom, type Store } from '../store.ts';
import { openDatabase } from './open-database.ts';
import { openCodes, openDirectory, openMessages, openSendings, openSessions } from './tables.ts';

/** All tables, each after those that it refers to. */
const TABLES = ['users', 'correspondence', 'sessions', 'codes', 'messages', 'sendings'];

/** @param log receives a line when the file is away and when it is back */
export function openSqliteStore(file: string, log?: Log): Store {
  const db: Database = openDatabase(file, log);
  const place = watchDatabase(db, { log });
  /** Make a change, and throw if the file is not in its place before or after it. */
  const inPlace = <T>(change: () => T): T => {
    place.check();
    const result = change();
    place.check();
    return result;
  };
  const tables = {
    directory: checked(openDirectory(db), inPlace),
    codes: checked(openCodes(db), inPlace),
    sendings: checked(openSendings(db), inPlace),
    sessions: checked(openSessions(db), inPlace),
    messages: checked(openMessages(db), inPlace),
  };
  const rows = rowKeeper(db, TABLES);
  const probe = db.prepare('SELECT 1 FROM users LIMIT 1');
  const atomically = <T>(change: () => T): T => inPlace(() => db.transaction(change).immediate());
  return {
    ...tables,
    atomically,
    deleteUser: (user) => atomically(() => deleteUserFrom(tables, user)),
    rows: {
      keep() {
        const restore = rows.keep();
        return () => atomically(restore);
      },
      clear: () => atomically(() => rows.clear()),
    },
    check: () => inPlace(() => void probe.get()),
    close: () => place.close(db, () => erase(db)),
  };
}

/** The functions of a part that only read. They work even while the file is away. */
const READS: ReadonlySet<string> = new Set([
  'find',
  'list',
  'userOf',
  'identityOf',
  'entryOf',
  'listEntries',
  'since',
]);

type Operation = (...given: never[]) => unknown;

function checked<Part extends Record<string, Operation>>(
  part: Part,
  inPlace: <T>(change: () => T) => T,
): Part {
  const operations = Object.entries(part).map(([name, operation]) => [
    name,
    READS.has(name) ? operation : (...given: never[]) => inPlace(() => operation(...given)),
  ]);
  return Object.fromEntries(operations) as Part;
}

/** A page that SQLite rearranged earlier may hold a copy of a phone, a code or a signature. */
function erase(db: Database): void {
  try {
    db.exec('VACUUM');
  } catch {
    // There is no space. The database is intact and stays as it is.
  }
}
