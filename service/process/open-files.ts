/** How many files and connections this process may have open. */
import { readFileSync } from 'node:fs';

/**
 * The limit on open files, as `ulimit -n` tells it; undefined where there is none, or the system does not
 * tell.
 */
export function openFilesLimit(): number | undefined {
  if (process.platform !== 'linux') return undefined;
  const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
  return limit === undefined ? undefined : Number(limit);
}
