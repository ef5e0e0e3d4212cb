/** A saved run: the journal with its circumstances, and a seal that reveals alterations by hand. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { otherThanText } from '#service/process/file-kind.ts';
import type { Entry } from './entry.ts';
import { faultOfRun } from './run-schema.ts';
import { unreadable } from './unreadable.ts';

/** A party that can be judged. */
export type Role = 'auth-server' | 'ehr-server' | 'client';

export type RunMeta = {
  /** Version of this package. */
  tool: string;
  node: string;
  /** ISO 8601. */
  startedAt: string;
  seed: number;
  mode: 'scenarios' | 'watch';
  /** The party under test; the authorization server unless given. */
  role?: Role;
  /** Name of the server under test, from its adapter file. */
  target: string;
  /** The adapter's settings as judged, without secrets. */
  configuration: Record<string, unknown>;
  /** The steps that the adapter declares absent, and other facts that decide what can be judged. */
  abilities: { absentSteps: string[]; canAdvanceClock: boolean; otpLifetimeSeconds: number | undefined };
  /** The longest time that the kit itself stood still, in milliseconds. */
  longestSilenceMs: number;
  /** False during the run; stays false when it was aborted. */
  finished: boolean;
};

export type Run = { meta: RunMeta; entries: readonly Entry[] };

type RunFile = { format: 'embedded-ehr-run/2'; meta: RunMeta; entries: readonly Entry[]; seal: string };

/** The run as the text of its file. */
export function runText(run: Run): string {
  const content: RunFile = { format: 'embedded-ehr-run/2', ...run, seal: sealOf(run) };
  return `${JSON.stringify(content, null, 1)}\n`;
}

/**
 * Reads a run.
 * @throws Error that says what is wrong with the file: not a run, another format, or altered since it was
 *   written
 */
export function readRun(file: string): Run {
  let content: unknown;
  const other = otherThanText(file);
  if (other) throw new Error(`Failed to read ${file}: it is ${other}. Please name a run.json that this tool wrote.`);
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new Error(
      `Failed to read ${file}: ${unreadable(cause, 'it is not a saved run')}. Please name a run.json that this tool wrote.`,
      {
        cause,
      },
    );
  }
  return runOf(content, file);
}

/**
 * Checks the content of a run's file, every member of it: anyone can make the seal anew.
 * @param name the file, as errors name it
 * @throws Error that says what is wrong with it, as {@link readRun}
 */
export function runOf(content: unknown, name: string): Run {
  const reading = runInPieces(content, name);
  for (;;) {
    const { done, value } = reading.next();
    if (done) return value;
  }
}

/** The same, some entries at a time: a long run takes its while. */
export function* runInPieces(content: unknown, name: string): Generator<undefined, Run> {
  const { format, meta, entries, seal } = Object(content) as Partial<RunFile>;
  if (format !== 'embedded-ehr-run/2' || !Array.isArray(entries) || typeof meta !== 'object' || meta === null) {
    throw new Error(
      `Failed to read ${name}: its format is ${JSON.stringify(format)}, and this version reads embedded-ehr-run/2.`,
    );
  }
  yield;
  if (seal !== sealOf({ meta, entries })) {
    throw new Error(
      `Failed to read ${name}: it was altered after it was written, so its journal proves nothing. Please run again.`,
    );
  }
  for (let from = 0; from === 0 || from < entries.length; from += PIECE) {
    yield;
    const fault = faultOfRun({ meta, entries: entries.slice(from, from + PIECE) }, from);
    if (fault !== undefined)
      throw new Error(`Failed to read ${name}: ${fault}. Please name a run.json that this tool wrote.`);
  }
  return { meta, entries };
}

/** The number of entries that are checked at a time, in some milliseconds. */
const PIECE = 250;

/** A checksum against alteration by hand or accident. It is no signature: anyone can recompute it. */
function sealOf({ meta, entries }: Run): string {
  return createHash('sha256')
    .update(JSON.stringify([meta, entries]))
    .digest('hex');
}
