/**
 * Loads files into the machine's page cache, as on a busy server. Some machines soon drop the pages of a file
 * that rests between two slices.
 */
import { createReadStream } from 'node:fs';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Reads a file from beginning to end. */
export async function readOnce(file: string): Promise<void> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  await pipeline(createReadStream(file, { highWaterMark: 4 * 2 ** 20 }), nowhere);
}
