/** Reads a file that the user named, and says in one sentence why it cannot be used. */
import { readFileSync } from 'node:fs';
import { otherThanText } from '#service/process/files/file-kind.ts';

/** A file that the user named is not valid: shown in one sentence, without a stack. */
export class InputError extends Error {
  override name = 'InputError';
}

/**
 * Reads the JSON of a file that this tool wrote.
 * @param name what such a file is called
 * @param otherwise what is wrong with a file that can be opened
 * @throws InputError that names the file and the remedy
 */
export function readJsonFile(file: string, name: string, otherwise: string): unknown {
  const remedy = `Please name a ${name} that this tool wrote.`;
  const other = otherThanText(file);
  if (other) throw new InputError(`Failed to read ${file}: it is ${other}. ${remedy}`);
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    const { code = '' } = Object(cause) as NodeJS.ErrnoException;
    throw new InputError(`Failed to read ${file}: ${REASONS[code] ?? otherwise}. ${remedy}`, { cause });
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a directory',
  EACCES: 'it may not be read',
};
