/**
 * Reads a JSON file that the user named on the command line, such as a saved run. If the file cannot be used,
 * the error says why in one sentence.
 */
import { readFileSync } from 'node:fs';
import { otherThanText } from '#service/process/files/file-kind.ts';
import { InputError } from '../input-error.ts';
import { type Run, runOf } from './run-file.ts';

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

/**
 * Reads the file of a run.
 * @throws InputError that says what is wrong with the file: no run, another format, or altered since then
 */
export function readRun(file: string): Run {
  return runOf(readJsonFile(file, 'run.json', 'it is not a saved run'), file);
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a directory',
  EACCES: 'it may not be read',
};
