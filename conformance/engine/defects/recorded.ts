/** Saves played runs in a directory and reuses them: when only checks change, no server need run again. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Run } from '../journal/run-file.ts';

/**
 * Returns the run that was saved for `key` in the directory of the environment variable RECORDED_RUNS. Plays
 * and saves the run if there is none. Without the variable it plays each time.
 * @param key any JSON value that identifies the run
 */
export async function recorded(key: unknown, play: () => Promise<Run>): Promise<Run> {
  const directory = process.env.RECORDED_RUNS;
  if (directory === undefined) return play();
  const file = join(directory, `${createHash('sha256').update(JSON.stringify(key)).digest('hex')}.json`);
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
  const run = await play();
  mkdirSync(directory, { recursive: true });
  // Two processes may play the same run. The rename keeps a reader from seeing half a file.
  writeFileSync(`${file}.${process.pid}`, JSON.stringify(run));
  renameSync(`${file}.${process.pid}`, file);
  return run;
}
