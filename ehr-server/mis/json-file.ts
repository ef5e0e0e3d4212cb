/** A population in a JSON file, which is read into memory: it needs no database. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { patient } from '#protocol/wire/fields.ts';
import { createMemoryMis } from './memory.ts';
import type { LocalMis } from './mis.ts';

const shape = z.array(patient);

/** Whether the name is that of a JSON file. */
export const isJsonFile = (database: string): boolean => /\.json$/i.test(database);

/**
 * Read the patients of a file.
 * @throws {Error} naming the file and what is wrong; without anything that stands in it
 */
export function openJsonMis(file: string): LocalMis {
  return createMemoryMis(patientsIn(file));
}

function patientsIn(file: string): z.output<typeof shape> {
  const failure = (why: string, cause: unknown) =>
    new Error(
      `Failed to read the patients in ${file}: ${why}. Please correct it, or name another with --mis-database.`,
      { cause },
    );
  let text: string;
  let content: unknown;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    throw failure(`the file cannot be opened (${(cause as NodeJS.ErrnoException).code})`, cause);
  }
  try {
    content = JSON.parse(text);
  } catch (cause) {
    // The message of the parser repeats what stands in the file.
    throw failure('it is not JSON', cause);
  }
  const parsed = shape.safeParse(content);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue?.path.join('.') ?? '';
  throw failure(place === '' ? 'it must be a list of patients' : `${place} cannot be used`, parsed.error);
}
