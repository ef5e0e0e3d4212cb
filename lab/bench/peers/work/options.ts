/** The command line of a peer. */
import { parseArgs } from 'node:util';
import type { Commit } from './commit.ts';

export type PeerOptions = { database: string; misDatabase: string; commit: Commit; audit: boolean };

/** Reads `--database FILE --mis-database FILE [--commit turn|call] [--no-audit]`. */
export function readPeerOptions(): PeerOptions {
  const { values } = parseArgs({
    options: {
      database: { type: 'string' },
      'mis-database': { type: 'string' },
      commit: { type: 'string', default: 'turn' },
      'no-audit': { type: 'boolean', default: false },
    },
  });
  const { database, 'mis-database': misDatabase, commit } = values;
  if (database === undefined || misDatabase === undefined || (commit !== 'turn' && commit !== 'call')) {
    throw new Error('Usage: --database FILE --mis-database FILE [--commit turn|call] [--no-audit]');
  }
  return { database, misDatabase, commit, audit: !values['no-audit'] };
}
