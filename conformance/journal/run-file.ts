/** A saved run: the journal with what it was recorded under, sealed so that an alteration by hand is noticed. */
import { createHash } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Entry } from './entry.ts';
import { unreadable } from './unreadable.ts';

export type RunMeta = {
  /** Version of this package. */
  tool: string;
  node: string;
  /** ISO 8601. */
  startedAt: string;
  seed: number;
  mode: 'scenarios' | 'watch';
  /** Name of the server under test, from its adapter file. */
  target: string;
  /** The adapter's settings as judged, without any secret. */
  configuration: Record<string, unknown>;
  /** Steps that the adapter declares absent, and other facts of the set-up that decide what can be judged. */
  abilities: { absentSteps: string[]; canAdvanceClock: boolean; otpLifetimeSeconds: number | undefined };
  /** The kit itself stood still for so long at most, in milliseconds. */
  longestSilenceMs: number;
  /** False while the run goes on; stays false when it was broken off. */
  finished: boolean;
};

export type Run = { meta: RunMeta; entries: readonly Entry[] };

type RunFile = { format: 'embedded-ehr-run/2'; meta: RunMeta; entries: readonly Entry[]; seal: string };

/** Writes the run in one step: a reader sees the old file or the new one, never half of one. */
export function writeRun(file: string, run: Run): void {
  const content: RunFile = { format: 'embedded-ehr-run/2', ...run, seal: sealOf(run) };
  writeFileSync(`${file}.partial`, `${JSON.stringify(content, null, 1)}\n`);
  renameSync(`${file}.partial`, file);
}

/**
 * Reads a run.
 * @throws Error saying what is wrong with the file: not a run, of another format, or altered since it was written
 */
export function readRun(file: string): Run {
  let content: RunFile;
  try {
    content = JSON.parse(readFileSync(file, 'utf8')) as RunFile;
  } catch (cause) {
    throw new Error(
      `Failed to read ${file}: ${unreadable(cause, 'it is not a saved run')}. Please name a run.json that this tool wrote.`,
      {
        cause,
      },
    );
  }
  const { format, meta, entries, seal } = Object(content) as Partial<RunFile>;
  if (format !== 'embedded-ehr-run/2' || !Array.isArray(entries) || typeof meta !== 'object' || meta === null) {
    throw new Error(
      `Failed to read ${file}: its format is ${JSON.stringify(format)}, and this version reads embedded-ehr-run/2.`,
    );
  }
  if (seal !== sealOf({ meta, entries })) {
    throw new Error(
      `Failed to read ${file}: it was altered after it was written, so its journal proves nothing. Please run again.`,
    );
  }
  return { meta, entries };
}

/** A checksum against alteration by hand or by accident; it is no signature, and keeps out nobody who recomputes it. */
function sealOf({ meta, entries }: Run): string {
  return createHash('sha256')
    .update(JSON.stringify([meta, entries]))
    .digest('hex');
}
