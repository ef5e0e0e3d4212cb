/** The setting for the number of connections, and what the limit on open files leaves of it. */

import { type SettingsTable, wholeNumber } from '#service/process/command-line/settings.ts';
import { openFilesLimit } from '#service/process/open-files.ts';

export const connectionSettings = {
  maxConnections: {
    flag: '--max-connections <number>',
    env: 'EHR_MAX_CONNECTIONS',
    default: '16384',
    schema: wholeNumber(1, 1_000_000),
    help: 'connections that each listener holds; as far as the limit on open files (ulimit -n) allows; more are closed at once',
  },
} as const satisfies SettingsTable;

/** Open files that are left to databases and logs. */
const RESERVED_FILES = 64;

/** The most connections of a listener. */
export function connectionLimit({ maxConnections }: { maxConnections: number }): number {
  return Math.max(
    1,
    Math.min(maxConnections, (openFilesLimit() ?? Number.POSITIVE_INFINITY) - RESERVED_FILES),
  );
}
