import { expect, test } from 'vitest';
import type { PairRow } from '../../../engine/defects/pair-row.ts';
import { withCrashes } from './pairs.ts';

const row: PairRow = { id: 'a + b', shape: 'mock', result: 'both named', found: 'a: fail; b: fail' };

/** Calls `act` while nobody but the function under test hears of errors that were not handled. */
async function withoutOtherListeners<T>(act: () => Promise<T>): Promise<T> {
  const others = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection');
  try {
    return await act();
  } finally {
    for (const listener of others) process.on('unhandledRejection', listener);
  }
}

test('an unhandled error is a crash of the server, as the row says', async () => {
  const crashed = await withoutOtherListeners(() =>
    withCrashes(async () => {
      process.emit('unhandledRejection', new TypeError('socket closed'), Promise.resolve());
      return row;
    }),
  );
  expect(crashed.result).toBe('crashed');
  expect(crashed.found).toContain('TypeError: socket closed');
  expect(crashed.found).toContain('a: fail; b: fail');
});

test('a pair without such an error keeps its row, and listeners are removed', async () => {
  const before = process.listenerCount('unhandledRejection');
  expect(await withCrashes(async () => row)).toEqual(row);
  expect(process.listenerCount('unhandledRejection')).toBe(before);
});
