import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withOutput } from '#testing/programs/use-program.ts';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { playOwn } from '../command/own.ts';

/** Plays in this process, with the page in a separate directory. */
export async function told(play: (page: string) => Promise<number>) {
  const directory = temporaryFolder();
  const file = join(directory, 'flows.html');
  const { result: status, out: stdout, err: stderr } = await withOutput(() => play(file));
  return {
    ...{ status, stdout, stderr },
    report: (name: string) => readFileSync(join(directory, name), 'utf8'),
    page: () => readFileSync(file, 'utf8'),
    files: () => readdirSync(directory),
  };
}

/** Plays the flows over HTTP with our own parties. */
export const own = (parts: string[], grep?: string) =>
  told((page) => playOwn({ parts, grep, page, only: 'flows', headed: false, keepMessages: false }));
