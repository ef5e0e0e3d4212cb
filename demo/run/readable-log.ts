/** Turns the JSON lines of a party's log into readable lines. */

import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { PassThrough } from 'node:stream';
import { prettyFactory } from 'pino-pretty';

/** Returns the lines of `source`: JSON lines made readable, all others unchanged. */
export function readableLog(source: Readable): Readable {
  const prettify = prettyFactory({
    colorize: process.stdout.isTTY === true,
    singleLine: true,
    ignore: 'pid,hostname,party,name',
    translateTime: 'SYS:HH:MM:ss',
  });
  const out = new PassThrough();
  const lines = createInterface({ input: source, crlfDelay: Number.POSITIVE_INFINITY });
  lines.on('line', (line) => void out.write(line.startsWith('{') ? prettify(line) : `${line}\n`));
  lines.on('close', () => out.end());
  return out;
}
