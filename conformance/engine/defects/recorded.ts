/** Reuses recorded runs: when only the checks change, the servers need not run again. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Run } from '../journal/run-file.ts';

/** Returns the run of `key` from the directory RECORDED_RUNS, where the first play saves it. */
export async function recorded(key: unknown, play: () => Promise<Run>): Promise<Run> {
  const directory = process.env.RECORDED_RUNS;
  if (directory === undefined) return play();
  const file = join(directory, `${createHash('sha256').update(JSON.stringify(key)).digest('hex')}.json`);
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
  const run = await play();
  mkdirSync(directory, { recursive: true });
  // Two processes may play the same run: each writes a whole file.
  writeFileSync(`${file}.${process.pid}`, JSON.stringify(run));
  renameSync(`${file}.${process.pid}`, file);
  return run;
}
