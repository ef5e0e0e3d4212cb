/** Writes files where a person asked for them, and says in one sentence why it cannot. */
import {
  accessSync,
  constants,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { getSystemErrorMap } from 'node:util';
import { SettingsError } from '../command-line/settings.ts';

/** Size of the file that a trial writes. A full disk still takes an empty file. */
const TRIAL_BYTES = 4_096;

/**
 * Create a directory and its parents. The recursive form of Node 20 never returns for a directory in `/proc`.
 * @param mode access to the created directories
 * @throws Error of the file system
 */
export function makeDirectory(directory: string, mode?: number): void {
  if (isDirectory(directory)) return;
  const parent = dirname(resolve(directory));
  if (parent !== resolve(directory)) makeDirectory(parent, mode);
  try {
    mkdirSync(directory, { mode });
  } catch (error) {
    // Another process may have created it meanwhile.
    if (!isDirectory(directory)) throw error;
  }
}

/**
 * Write a file whole or not at all. A link of that name is replaced and not followed: others may be allowed
 * to write into the directory.
 * @throws Error of the file system
 */
export function writeWhole(file: string, text: string): void {
  const partial = `${file}.partial-${process.pid}`;
  rmSync(partial, { force: true });
  try {
    // Fails where somebody has put a link or a file there since.
    writeFileSync(partial, text, { flag: 'wx' });
    renameSync(partial, file);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}

/**
 * Give a complete file its name, unless a file of that name exists by now: a rename would destroy that one.
 * @throws Error of the file system; with the code `EEXIST` there is such a file
 */
export function giveNewName(partial: string, file: string): void {
  try {
    linkSync(partial, file);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw error;
    // Some file systems have no hard links.
    renameSync(partial, file);
    return;
  }
  unlinkSync(partial);
}

/**
 * Require that a directory can be written to, or created. Leaves nothing behind.
 * @param setting what names the directory, such as `--report`
 * @throws SettingsError that names the setting, the directory and the reason
 */
export function requireDirectory(setting: string, directory: string): void {
  try {
    tryToWrite(directory);
  } catch (cause) {
    throw unusable(`${setting} must name a directory that can be written to`, directory, cause);
  }
}

/**
 * Require that a file can be written, in a directory that exists or can be created. Leaves nothing behind.
 * @param setting what names the file, such as `--json`
 * @throws SettingsError that names the setting, the file and the reason
 */
export function requireFile(setting: string, file: string): void {
  const present = statOf(file);
  if (present?.isDirectory())
    throw new SettingsError(`${setting} must name a file; "${file}" is a directory.`);
  try {
    if (present) accessSync(file, constants.W_OK);
    else tryToWrite(dirname(resolve(file)));
  } catch (cause) {
    throw unusable(`${setting} must name a file that can be written`, file, cause);
  }
}

/**
 * Create a temporary directory with a name that begins with `prefix`.
 * @throws SettingsError when the machine has no place for it
 */
export function temporaryDirectory(prefix: string): string {
  try {
    return mkdtempSync(join(tmpdir(), prefix));
  } catch (cause) {
    throw unusable('TMPDIR must name a directory that can be written to', tmpdir(), cause);
  }
}

/** The code of an error of SQLite or of the file system. Other errors have none. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Say what the system refused, such as `no space left on device (ENOSPC)`. */
export function refusalOf(error: unknown): string {
  const { code, errno, message } = Object(error) as NodeJS.ErrnoException;
  if (code === undefined) return message ?? String(error);
  const [, words = message] = (errno !== undefined && getSystemErrorMap().get(errno)) || [];
  return `${words} (${code})`;
}

/** Whether the system refused something to this process, and the process is not at fault. */
export function isOfSystem(error: unknown): boolean {
  const { code, syscall } = Object(error) as NodeJS.ErrnoException;
  return typeof code === 'string' && syscall !== undefined;
}

/** Write a file into a directory, or into the one where it would be created, and remove the file. */
function tryToWrite(directory: string): void {
  const trial = join(existingAbove(resolve(directory)), `.trial-${process.pid}`);
  try {
    writeFileSync(trial, 'x'.repeat(TRIAL_BYTES), { flag: 'wx' });
  } finally {
    rmSync(trial, { force: true });
  }
}

function unusable(what: string, given: string, cause: unknown): SettingsError {
  return new SettingsError(`${what}; given was "${given}": ${refusalOf(cause)}.`, { cause });
}

/** The nearest path above, or itself, of which there is something, be it a link to nothing. */
function existingAbove(path: string): string {
  const exists = statOf(path, lstatSync) !== undefined;
  return exists || dirname(path) === path ? path : existingAbove(dirname(path));
}

function isDirectory(path: string): boolean {
  return statOf(path)?.isDirectory() ?? false;
}

function statOf(path: string, stat: (path: string) => Stats = statSync): Stats | undefined {
  try {
    return stat(path);
  } catch {
    return undefined;
  }
}
