/** Copies the rows of a SQLite database in memory and puts them back, for the snapshots of the harness. */
import type { Database } from 'better-sqlite3';

/** The rows of a store can be kept for later, and emptied. Each change is complete when its call returns. */
type RowKeeper = {
  /** Keeps the rows of now. Returns a function that puts them back, as often as it is called. */
  keep(): () => void;
  /** Deletes all rows. */
  clear(): void;
};

/** @param tables all tables of the store, each after those that it refers to */
export function rowKeeper(db: Database, tables: readonly string[]): RowKeeper {
  const clear = () => {
    for (const table of [...tables].reverse()) db.exec(`DELETE FROM ${table}`);
  };
  return {
    keep() {
      const copies = tables.map((table) => copyOf(db, table));
      return () => {
        clear();
        for (const restore of copies) restore();
      };
    },
    clear,
  };
}

/** Copies one table. Returns a function that inserts its rows into the empty table. */
function copyOf(db: Database, table: string): () => void {
  const select = db.prepare<[], unknown[]>(`SELECT * FROM ${table}`).raw();
  const width = select.columns().length;
  const rows = select.all();
  return () => {
    const insert = db.prepare<unknown[]>(
      `INSERT INTO ${table} VALUES (${Array(width).fill('?').join(', ')})`,
    );
    for (const row of rows) insert.run(...row);
  };
}
