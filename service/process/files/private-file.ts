/** Makes database files readable by their owner alone, because a database holds secrets and patient data. */
import { chmodSync, closeSync, lstatSync, openSync, statSync } from 'node:fs';
import { OpenError } from '../../sqlite.ts';
import type { Log } from '../log.ts';
import { codeOf } from './writing.ts';

/** Suffixes of the files that SQLite keeps beside a database. */
const COMPANIONS = ['-wal', '-shm', '-journal'] as const;
const GROUP_AND_OTHERS = 0o077;
const OTHERS = 0o007;

/**
 * Create an empty file for SQLite to open, with access for its owner alone. SQLite gives the files beside it
 * the same access. If the file exists, take away the access of all other accounts: call it for a database of
 * ours alone. The file is not opened for that: closing it would release the locks that this process holds on
 * it.
 * @param log receives a warning when access was taken away
 * @throws Error when others have access and this account may not take it away. Access of the owner's group
 *   may stay.
 */
export function makePrivate(file: string, log?: Log): void {
  try {
    closeSync(openSync(file, 'ax', 0o600));
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    // Windows has no file modes.
    if (process.platform !== 'win32') takeAccessOfAll(file, log);
  }
}

function takeAccessOfAll(file: string, log: Log | undefined): void {
  takeAccess(file, statSync(file).mode, log);
  for (const suffix of COMPANIONS) {
    // SQLite does not follow a symbolic link beside a database, so its target is the file of somebody else.
    const found = lstatSync(file + suffix, { throwIfNoEntry: false });
    if (found?.isFile()) takeAccess(file + suffix, found.mode, log);
  }
}

function takeAccess(file: string, mode: number, log: Log | undefined): void {
  if ((mode & GROUP_AND_OTHERS) === 0) return;
  const written = (mode & 0o777).toString(8).padStart(4, '0');
  try {
    chmodSync(file, mode & 0o7777 & ~GROUP_AND_OTHERS);
    log?.warn(`${file} had mode ${written}: access for other accounts was taken away`);
  } catch (cause) {
    if ((mode & OTHERS) === 0) return;
    throw new OpenError(
      `Failed to open ${file}: its mode ${written} gives every account of this machine access, and this account may not change that. Please have its owner run "chmod o-rwx ${file}".`,
      { cause },
    );
  }
}
