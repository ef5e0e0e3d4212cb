/**
 * Reads a file that the user named on the command line, such as a saved run. If the file cannot be used, the
 * error says why in one sentence.
 */
import { readFileSync } from 'node:fs';
import { withoutMark } from '#protocol/wire/json.ts';
import { otherThanText } from '#service/process/files/file-kind.ts';
import { InputError } from '../input-error.ts';
import { type Run, runOf } from './run-file.ts';

/** Without a byte order mark. @throws InputError that says why the file has no text, and the remedy */
export function readTextFile(file: string, remedy: string): string {
  const other = otherThanText(file);
  if (other) throw new InputError(`Failed to read ${file}: it is ${other}. ${remedy}`);
  try {
    return withoutMark(readFileSync(file, 'utf8'));
  } catch (cause) {
    const { code = '', message } = cause as NodeJS.ErrnoException;
    throw new InputError(`Failed to read ${file}: ${REASONS[code] ?? message}. ${remedy}`, { cause });
  }
}

export function readJsonFile(file: string, name: string, otherwise: string): unknown {
  const remedy = `Please name a ${name} that this tool wrote.`;
  const text = readTextFile(file, remedy);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new InputError(`Failed to read ${file}: ${otherwise}. ${remedy}`, { cause });
  }
}

/** @throws InputError that says what is wrong with the file */
export function readRun(file: string): Run {
  return runOf(readJsonFile(file, 'run.json', 'it is not a saved run'), file);
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'it may not be read',
};
