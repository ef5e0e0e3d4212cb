/** The content of the file of a run (run.json): journal, circumstances, and a checksum, the seal. */
import { bytesToHex } from '@noble/hashes/utils.js';
import { hashes } from '#protocol/wire/hashes/hashes.ts';
import { InputError } from '../input-error.ts';
import { faultOfRun, type Run } from './run-schema.ts';

export type { Run, RunMeta } from './run-schema.ts';

/** The form of the file. In earlier ones no step says what must come of it, so they cannot be judged. */
const FORMAT = 'embedded-ehr-run/3';

type RunFile = Run & { format: typeof FORMAT; seal: string };

export function runText(run: Run): string {
  const content: RunFile = { format: FORMAT, ...run, seal: sealOf(run) };
  return `${JSON.stringify(content, null, 1)}\n`;
}

/**
 * Checks the parsed content of a run's file. Every member is checked, because anyone can compute a new seal.
 * @param name the name of the file in errors
 * @throws InputError that says what is wrong with the file: no run, another format, or altered since then
 */
export function runOf(content: unknown, name: string): Run {
  const reading = runInPieces(content, name);
  for (;;) {
    const { done, value } = reading.next();
    if (done) return value;
  }
}

/**
 * Checks as {@link runOf} does, but pauses (yields) after some entries, so that a long run does not block a
 * program that has other work.
 */
export function* runInPieces(content: unknown, name: string): Generator<undefined, Run> {
  const { format, meta, entries, seal } = Object(content) as Partial<RunFile>;
  if (format === undefined) throw new InputError(`Failed to read ${name}: it is no run.json. ${REMEDY}`);
  if (format !== FORMAT) {
    throw new InputError(
      `Failed to read ${name}: its format is ${JSON.stringify(format)}, and this version reads ${FORMAT}. Please run again.`,
    );
  }
  if (typeof meta !== 'object' || meta === null || !Array.isArray(entries)) {
    const missing = Array.isArray(entries) ? 'meta' : 'entries';
    throw new InputError(`Failed to read ${name}: its member "${missing}" is missing. ${REMEDY}`);
  }
  yield;
  if (seal !== sealOf({ meta, entries })) {
    throw new InputError(
      `Failed to read ${name}: it was altered after it was written, so its journal proves nothing. Please run again.`,
    );
  }
  for (let from = 0; from === 0 || from < entries.length; from += PIECE) {
    yield;
    const fault = faultOfRun({ meta, entries: entries.slice(from, from + PIECE) }, from);
    if (fault !== undefined) throw new InputError(`Failed to read ${name}: ${fault}. ${REMEDY}`);
  }
  return { meta, entries };
}

const REMEDY = 'Please name a run.json that this tool wrote.';

/** How many entries are checked between two pauses: they take some milliseconds. */
const PIECE = 250;

/** A checksum against alteration by hand or accident. It is no signature: anyone can recompute it. */
function sealOf({ meta, entries }: Run): string {
  return bytesToHex(hashes.sha256(JSON.stringify([meta, entries])));
}
