/** A database holds what its readers could use: its file is made readable by its owner alone. */
import { closeSync, openSync } from 'node:fs';

/**
 * Makes an empty file for SQLite to open, with access for its owner alone; SQLite gives what it keeps beside it the same
 * access. A file that is there already is not touched: closing it would end the locks that this process holds on it.
 */
export function createPrivately(file: string): void {
  try {
    closeSync(openSync(file, 'ax', 0o600));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}
