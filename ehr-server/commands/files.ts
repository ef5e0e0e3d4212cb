/** Writes files that either exist completely or not at all, and that only their owner can read. */
import {
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  unlinkSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isRunning } from '#service/process/signals.ts';
import { CommandError, codeOf, factOf } from './command-error.ts';

/**
 * Create an empty file beside `file`, with a name of this process, readable by its owner alone. Remove the
 * partial files that killed processes have left there.
 * @returns its name
 * @throws CommandError when the directory cannot be written to
 */
export function createPartial(file: string): string {
  const partial = `${file}.partial-${process.pid}`;
  try {
    for (const leftover of leftoversOf(file)) removeDatabase(leftover);
    closeSync(openSync(partial, 'wx', 0o600));
    return partial;
  } catch (cause) {
    throw new CommandError(
      `Failed to write beside ${file}: ${factOf(cause)}. Please check that its directory exists and can be written to.`,
      { cause },
    );
  }
}

/** Remove a database and the files that SQLite keeps beside it. */
export function removeDatabase(file: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(file + suffix, { force: true });
}

/** Flush the contents of a file, or the names in a directory, to the disk. */
function flush(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } catch (error) {
    // Some systems cannot flush directories.
    if (!['EPERM', 'EINVAL', 'EISDIR'].includes(codeOf(error))) throw error;
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Give a complete file its name, and flush both to the disk.
 * @throws CommandError when a file of that name has appeared and `mayReplace` is false
 */
export function publish(partial: string, file: string, mayReplace: boolean): void {
  flush(partial);
  if (mayReplace) renameSync(partial, file);
  else giveNewName(partial, file);
  flush(dirname(file));
}

function giveNewName(partial: string, file: string): void {
  try {
    linkSync(partial, file);
  } catch (cause) {
    if (codeOf(cause) === 'EEXIST')
      throw new CommandError(`${file} was made by another program meanwhile.`, { cause });
    // Some file systems have no hard links.
    renameSync(partial, file);
    return;
  }
  unlinkSync(partial);
}

/** Partial files of `file` whose process is gone. */
function leftoversOf(file: string): string[] {
  const directory = dirname(file);
  const prefix = `${basename(file)}.partial-`;
  return readdirSync(directory)
    .filter((name) => name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length)))
    .filter((name) => !isRunning(Number(name.slice(prefix.length))))
    .map((name) => join(directory, name));
}
