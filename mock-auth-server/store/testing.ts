/** Runs one test on each engine of the authorization server's store: memory, and SQLite in a file. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, test } from 'vitest';
import { memoryStore } from './memory.ts';
import { openSqliteStore } from './sqlite/store.ts';
import type { Store } from './store.ts';

const storeEngines: Readonly<Record<string, () => Store>> = {
  memory: memoryStore,
  SQLite() {
    const folder = mkdtempSync(join(tmpdir(), 'auth-store-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    return openSqliteStore(join(folder, 'auth.sqlite'));
  },
};

export const bytes = (text: string) => new TextEncoder().encode(text);

export function addUser(
  { atomically, directory }: Store,
  user: string,
  more: { internalId?: undefined; now?: number } = {},
): string {
  const identity = { kind: 'login', value: user } as const;
  const added = { user, identity, internalId: `int-${user}`, now: 0, ...more };
  return atomically(() => directory.ensureUser(added));
}

/** Add a session of Anna. Its token hash is its name. */
export function addSession({ sessions }: Store, name: string, expiresAt: number, internalId?: string): void {
  sessions.add({ tokenHash: bytes(name), user: 'anna', internalId, createdAt: 0, expiresAt });
}

export function onEachStore(title: string, body: (store: Store) => void | Promise<void>): void {
  for (const [name, open] of Object.entries(storeEngines)) {
    test(`${title} (${name})`, async () => {
      const store = open();
      try {
        await body(store);
      } finally {
        store.close();
      }
    });
  }
}
