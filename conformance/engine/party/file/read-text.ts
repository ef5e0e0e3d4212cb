/** Reads the text of an adapter file. If the file cannot be read, the error says in words why. */
import { readFileSync, statSync } from 'node:fs';
import { commandLine } from '#service/process/command-line/program-name.ts';
import { otherThanText } from '#service/process/files/file-kind.ts';
import { AdapterFileError } from './problem.ts';

/** Limits the size of an adapter file. Real ones have some hundred lines. */
const MAX_FILE_BYTES = 1024 * 1024;

export function readText(file: string): string {
  try {
    const other = otherThanText(file);
    if (other)
      throw new AdapterFileError(
        `Failed to read the adapter file ${file}: it is ${other}. Please name a text file.`,
      );
    if (statSync(file).size > MAX_FILE_BYTES)
      throw new AdapterFileError(`Failed to use the adapter file ${file}: it is larger than 1 MiB.`);
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (cause) {
    if (cause instanceof AdapterFileError) throw cause;
    throw new AdapterFileError(`Failed to read the adapter file ${file}: ${whyUnreadable(cause)}`, { cause });
  }
}

function whyUnreadable(cause: unknown): string {
  const { code } = cause as NodeJS.ErrnoException;
  if (code === 'ENOENT')
    return `there is no such file. To write one: ${commandLine('conformance', 'init FILE')}`;
  if (code === 'EISDIR') return 'it is a directory.';
  if (code === 'EACCES') return 'this user may not read it.';
  if (cause instanceof TypeError) return 'it is not UTF-8 text.';
  return cause instanceof Error ? cause.message : String(cause);
}
