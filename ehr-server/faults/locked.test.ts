import { expect, onTestFinished, test } from 'vitest';
import { linkedOnFile, storedIn } from '#testing/faults.ts';
import { openDatabase } from '../store/sqlite/open-database.ts';

test('a lock held too long fails the waiting changes, and is told once', async () => {
  const { file, save, read, page, told } = await linkedOnFile();
  // The first page takes longer to load.
  expect(await page('/healthz')).toBe(200);
  const other = openDatabase(file);
  onTestFinished(() => void other.close());
  other.exec('BEGIN IMMEDIATE');
  const tokens = Array.from({ length: 20 }, (_, n) => `refused-${n}`);
  const outcomes = await Promise.all([...tokens.map(save), read()]);
  expect(new Set(outcomes)).toEqual(new Set(['internal_error']));
  expect(await page('/readyz')).toBe(503);
  const [line, ...more] = told('fails calls: another process holds its lock. Please end that one');
  expect([line.msg.includes(file), line.err.errorCode, more]).toEqual([true, 'SQLITE_BUSY', []]);
  other.exec('ROLLBACK');
  await expect.poll(() => page('/readyz')).toBe(200);
  expect([await save('saved'), await read()]).toEqual(['ok', 'ok']);
  expect(storedIn(file, [...tokens, 'saved'])).toEqual(['saved']);
});
