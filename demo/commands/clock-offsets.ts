/** Keeps how far the clocks were moved: what was stored after a move would lie in the future. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { commandLine } from '#service/process/command-line/program-name.ts';
import { writeDuration } from './duration.ts';
import { type ClockedServer, clockOf } from './server-clock.ts';

const offsetsShape = z.object({ ehr: z.int(), auth: z.int() });

/** How far each server's clock is ahead of the machine's, in milliseconds. */
export type ClockOffsets = z.output<typeof offsetsShape>;

export type ClockedServers = Readonly<Record<keyof ClockOffsets, ClockedServer>>;

/** Interval of the checks. A clock moved just before the demo is killed is not restored. */
const POLL_INTERVAL_MS = 250;
/** A smaller difference counts as none, since reading a clock takes time. */
const MIN_OFFSET_MS = 500;
/** The control port moves a clock by at most this much at once. */
const MAX_MOVE_MS = 366 * 86_400_000;

const NONE: ClockOffsets = { ehr: 0, auth: 0 };

export function readOffsets(file: string): ClockOffsets {
  if (!existsSync(file)) return NONE;
  try {
    return offsetsShape.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    throw new Error(
      `Failed to read ${file}. Please delete it, or start over with ${commandLine('demo', '--fresh')}.`,
      { cause },
    );
  }
}

export async function restoreOffsets(servers: ClockedServers, offsets: ClockOffsets): Promise<void> {
  for (const name of ['ehr', 'auth'] as const) {
    for (let left = offsets[name]; left !== 0; ) {
      const advance = Math.max(-MAX_MOVE_MS, Math.min(MAX_MOVE_MS, left));
      await clockOf(servers[name], { advance });
      left -= advance;
    }
  }
}

/** Writes to `file` whenever a clock was moved. Returns the function that stops it. */
export function keepOffsets(servers: ClockedServers, file: string): () => void {
  let kept = readOffsets(file);
  const look = async () => {
    const [ehr, auth] = await Promise.all([
      offsetOf(servers.ehr, kept.ehr),
      offsetOf(servers.auth, kept.auth),
    ]);
    if (ehr === kept.ehr && auth === kept.auth) return;
    kept = { ehr, auth };
    if (ehr === 0 && auth === 0) rmSync(file, { force: true });
    else writeFileSync(file, `${JSON.stringify(kept)}\n`, { mode: 0o600 });
  };
  // A server that does not answer is stopping.
  const timer = setInterval(() => void look().catch(() => undefined), POLL_INTERVAL_MS);
  return () => clearInterval(timer);
}

async function offsetOf(server: ClockedServer, known: number): Promise<number> {
  const offset = (await clockOf(server)) - Date.now();
  if (Math.abs(offset - known) < MIN_OFFSET_MS) return known;
  return Math.abs(offset) < MIN_OFFSET_MS ? 0 : Math.round(offset / 1_000) * 1_000;
}

/** Describes the offsets in words, such as `1d ahead`. Undefined when no clock was moved. */
export function describeOffsets({ ehr, auth }: ClockOffsets): string | undefined {
  const words = (offset: number) => {
    if (offset === 0) return 'right';
    return `${writeDuration(Math.abs(offset))} ${offset > 0 ? 'ahead' : 'behind'}`;
  };
  if (ehr === auth) return ehr === 0 ? undefined : words(ehr);
  return `EHR server ${words(ehr)}, authorization server ${words(auth)}`;
}
