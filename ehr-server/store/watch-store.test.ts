import { expect, test } from 'vitest';
import { createMeter } from '../metrics/counts.ts';
import { openDatabase } from './sqlite/open-database.ts';
import { sqliteStore } from './sqlite/store.ts';
import { watchStore } from './watch-store.ts';

test('failing operations are told by name, others pass unchanged', async () => {
  const meter = createMeter();
  const db = openDatabase(':memory:');
  const store = watchStore(sqliteStore(db, { audit: true, onCommit: meter.onCommit }), meter.onStoreFailure);
  const token = Buffer.alloc(32, 1);
  expect(store.findSession(token)).toBeUndefined();
  expect(await store.removeSession(token, 'u-1', 0)).toBe(false);
  expect([...meter.counts.storeErrors]).toEqual([]);
  expect(meter.counts.groups.sum).toBe(1);
  db.close();
  expect(() => store.findSession(token)).toThrow('not open');
  expect(() => store.check()).toThrow('not open');
  await expect(store.removeSession(token, 'u-1', 0)).rejects.toThrow('not open');
  await expect(store.removeSession(token, 'u-1', 0)).rejects.toThrow('not open');
  expect([...meter.counts.storeErrors]).toEqual([
    ['findSession', 1],
    ['check', 1],
    ['removeSession', 2],
  ]);
});

test('the methods of a class are watched as well', async () => {
  class Base {
    readonly #rows = 3;
    async purge() {
      return this.#rows;
    }
  }
  const operations = Object.keys(watchStore(sqliteStore(openDatabase(':memory:')), () => undefined));
  const stub = new Base();
  for (const name of operations) if (!(name in stub)) Object.assign(stub, { [name]: async () => undefined });
  const store = watchStore(stub as never, () => undefined);
  expect(await store.purge(0, 1)).toBe(3);
});
