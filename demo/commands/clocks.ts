/** The clocks of the demo: shown, moved over control ports, kept over a restart; durations as people type. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { commandLine } from '#service/process/command-line/program-name.ts';

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

type ClockedServer = { readonly title: string; readonly port: number };

const TIMEOUT_MS = 5_000;

/** A server's time in milliseconds, after moving its clock if requested. */
export async function clockOf({ title, port }: ClockedServer, move?: { advance: number }): Promise<number> {
  const url = `http://127.0.0.1:${port}/clock`;
  const request = move && {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(move),
  };
  let response: Response;
  try {
    response = await fetch(url, { ...request, signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch (cause) {
    throw new Error(
      `Failed to reach the clock of ${title} at ${url}. Does the demo run? Start it with ${commandLine('demo')}.`,
      { cause },
    );
  }
  const answer = z.object({ now: z.number() }).safeParse(await response.json().catch(() => undefined));
  if (response.status !== 200 || !answer.success) {
    throw new Error(
      `${url} did not answer as the clock of ${title} does (HTTP ${response.status}). Is another program using this port?`,
    );
  }
  return answer.data.now;
}

const UNITS_MS: Readonly<Record<string, number>> = {
  d: 86_400_000,
  h: 3_600_000,
  m: 60_000,
  s: 1_000,
  ms: 1,
};
const PART = /(\d+(?:\.\d+)?)(ms|d|h|m|s)/g;

/** Reads `9m59.999s`, parts from the largest unit on, as whole milliseconds; undefined for any other text. */
export function readDuration(text: string): number | undefined {
  const parts = [...text.matchAll(PART)];
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== text) return undefined;
  const sizes = parts.map(([, , unit = '']) => UNITS_MS[unit] as number);
  if (sizes.some((size, index) => index > 0 && size >= (sizes[index - 1] as number))) return undefined;
  // Rounded, because 59.999 * 1000 is not exactly 59999.
  return Math.round(
    parts.reduce((sum, [, amount], index) => sum + Number(amount) * (sizes[index] as number), 0),
  );
}

/** Writes a duration as {@link readDuration} reads it, to the second. */
export function writeDuration(ms: number): string {
  let left = Math.round(ms / 1_000) * 1_000;
  const parts = ['d', 'h', 'm', 's'].map((unit) => {
    const size = UNITS_MS[unit] as number;
    const amount = Math.floor(left / size);
    left -= amount * size;
    return amount === 0 ? '' : `${amount}${unit}`;
  });
  return parts.join('') || '0s';
}
