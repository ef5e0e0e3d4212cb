/** Files in the memory of the machine, where a server at work has them: between two slices they rest, and there are machines that soon take such memory away. */
import { createReadStream } from 'node:fs';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Reads a file from its beginning to its end. */
export async function readOnce(file: string): Promise<void> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  await pipeline(createReadStream(file, { highWaterMark: 4 * 2 ** 20 }), nowhere);
}
