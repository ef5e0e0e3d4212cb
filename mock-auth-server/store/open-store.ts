/** Opens the store that `--database` names, and says how long it keeps expired rows (decision 12). */

import { CODE_WINDOW_MS } from '#protocol/limits.ts';
import type { Log } from '#service/process/log.ts';
import type { Purge } from '#service/process/purge.ts';
import { memoryStore } from './memory.ts';
import type { Store } from './store.ts';

/** @param log receives a line when the file is away and when it is back */
export async function openStore(file: string, log?: Log): Promise<Store> {
  if (file === ':memory:') return memoryStore();
  const { openSqliteStore } = await import('./sqlite/store.ts');
  return openSqliteStore(file, log);
}

/** A code is kept this long after it expired, so that a late user gets that error. */
export const CODE_RETENTION_MS = 60 * 60_000;
/** A session is kept this long after its end, so that its holder gets the error that it expired. */
export const SESSION_RETENTION_MS = 30 * 86_400_000;

export function purgesOf({ codes, sendings, sessions }: Store): Purge[] {
  return [
    { retentionMs: CODE_RETENTION_MS, batch: codes.purge },
    { retentionMs: CODE_WINDOW_MS, batch: sendings.purge },
    { retentionMs: SESSION_RETENTION_MS, batch: sessions.purge },
  ];
}
