/** Runs one test on each engine of the authorization server's store: memory, and SQLite in a file. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, test } from 'vitest';
import { memoryStore } from './memory.ts';
import { openSqliteStore } from './sqlite/store.ts';
import type { Store } from './store.ts';

/** The engines by name. Each opens an empty store, which its caller closes. */
const storeEngines: Readonly<Record<string, () => Store>> = {
  memory: memoryStore,
  SQLite() {
    const folder = mkdtempSync(join(tmpdir(), 'auth-store-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    return openSqliteStore(join(folder, 'auth.sqlite'));
  },
};

/** Run the test on an empty store of each engine. */
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
