import { expect, onTestFinished, test } from 'vitest';
import { linkedOnFile } from '#testing/faults/linked-on-file.ts';
import { storedIn } from '#testing/faults/subject.ts';
import { openDatabase } from '../store/sqlite/open-database.ts';

const REFUSED_ORIGIN = { method: 'OPTIONS', headers: { origin: 'http://localhost:4300' } };

async function lockable() {
  const linked = await linkedOnFile();
  const other = openDatabase(linked.file);
  onTestFinished(() => void other.close());
  return { ...linked, other };
}

for (const lock of ['BEGIN IMMEDIATE', 'BEGIN EXCLUSIVE'])
  test(`changes wait for a lock of another process (${lock}), the rest is answered`, async () => {
    const { file, ehr, other, save, read, page, told } = await lockable();
    // The first page takes longer to load.
    expect(await page('/healthz')).toBe(200);
    other.exec(lock);
    const tokens = Array.from({ length: 20 }, (_, n) => `saved-${n}`);
    const settled: string[] = [];
    const waiting = [...tokens.map(save), read()].map(async (outcome) => settled.push(await outcome));
    for (let round = 0; round < 10; round++) {
      expect(await page('/healthz')).toBe(200);
      expect((await fetch(ehr.ehr.endpoint, REFUSED_ORIGIN)).status).toBe(204);
      expect(await read('unknown')).toBe('not_authorized');
    }
    expect(await page('/readyz')).toBe(503);
    expect([settled, storedIn(file, tokens)]).toEqual([[], []]);
    other.exec('ROLLBACK');
    await Promise.all(waiting);
    expect(new Set(settled)).toEqual(new Set(['ok']));
    expect(storedIn(file, tokens)).toEqual(tokens);
    await expect.poll(() => page('/readyz')).toBe(200);
    // A call that only waited is not logged as failed.
    expect(told('fails calls').length).toBeLessThanOrEqual(1);
    expect(told('call failed')).toEqual([]);
  });

test('a lock held too long fails the waiting changes, and is told once', async () => {
  const { file, other, save, read, page, told } = await lockable();
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
