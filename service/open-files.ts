/**
 * How many files and connections this process may have open, so that a listener leaves some of them to the
 * database.
 */
import { readFileSync } from 'node:fs';

/** Held back from connections: databases, logs, certificates, and what is loaded later. */
const RESERVE = 64;

/** How many connections this process can hold; undefined where the system does not tell. */
export function roomForConnections(): number | undefined {
  const limit = openFilesLimit();
  return limit === undefined ? undefined : Math.max(1, limit - Math.min(RESERVE, Math.ceil(limit / 2)));
}

/**
 * The limit on open files, as `ulimit -n` tells it; undefined where there is none, or the system does not
 * tell.
 */
export function openFilesLimit(): number | undefined {
  if (process.platform !== 'linux') return undefined;
  const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
  return limit === undefined ? undefined : Number(limit);
}
