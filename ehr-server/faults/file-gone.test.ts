import { existsSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { INTERNAL_ERROR, linkedOnFile, startSubject, storedIn } from '#testing/faults.ts';
import { folderInMemory } from '#testing/temporary-folder.ts';
import { openDatabase } from '../store/sqlite/open-database.ts';

const SUFFIXES = ['', '-wal', '-shm'];

/** What an operator's mistake does to the files of a database, and how to undo it where that is possible. */
const SLIPS: Record<string, { slip(file: string): void; back?(file: string): void }> = {
  moved: { slip: (file) => move(file, `${file}.away`), back: (file) => move(`${file}.away`, file) },
  deleted: {
    slip(file) {
      for (const suffix of SUFFIXES) rmSync(file + suffix, { force: true });
    },
  },
};

function move(from: string, to: string): void {
  for (const suffix of SUFFIXES) if (existsSync(from + suffix)) renameSync(from + suffix, to + suffix);
}

for (const [what, { slip, back }] of Object.entries(SLIPS))
  test(`a server whose EHR database is ${what} acknowledges nothing${back ? ', until it is back' : ''}`, async () => {
    const { file, save, read, page, told } = await linkedOnFile();
    const readiness = () => page('/readyz');
    expect([await save('before'), await readiness()]).toEqual(['ok', 200]);
    slip(file);
    const outcomes = await Promise.all(Array.from({ length: 10 }, (_, n) => save(`refused-${n}`)));
    expect(new Set(outcomes)).toEqual(new Set(['internal_error']));
    expect([await read(), await readiness(), await save('still'), await readiness()]).toEqual([
      'internal_error',
      503,
      'internal_error',
      503,
    ]);
    expect(told(`the database ${file} is not in its place: it was deleted, moved or replaced`)).toHaveLength(
      1,
    );
    if (!back) return;
    back(file);
    expect([await readiness(), await save('after'), await read()]).toEqual([200, 'ok', 'ok']);
    expect(told(`the database ${file} is in its place again`)).toHaveLength(1);
    expect(storedIn(file, ['before', 'refused-0', 'still', 'after'])).toEqual(['before', 'after']);
  });

test('an EHR server with a database cut short answers errors and lives', async () => {
  const { file, child, save, read, page, complaints } = await startSubject({ folder: folderInMemory() });
  expect([await save(), await read()]).toEqual(['ok', 'ok']);
  // Copies everything from the log beside it into the main file.
  const other = openDatabase(file);
  other.pragma('wal_checkpoint(PASSIVE)');
  other.close();
  expect(await save()).toBe('ok');
  truncateSync(file, Math.floor(statSync(file).size / 2));
  const outcomes = await Promise.all([save(), save(), read(), read('unknown')]);
  expect(outcomes.slice(0, 3)).toEqual(Array(3).fill(INTERNAL_ERROR));
  expect([await save(), await page('/readyz'), await page('/healthz')]).toEqual([INTERNAL_ERROR, 503, 200]);
  expect(child.exitCode ?? child.signalCode).toBeNull();
  const told = complaints().filter(({ msg }) => msg.includes(`the database ${file} was cut short`));
  expect(told).toHaveLength(1);
});

test('an EHR server with patients cut short answers errors and lives', async () => {
  const folder = folderInMemory();
  const { patients, child, read, page } = await startSubject({ folder });
  // While the log beside the file has content, SQLite trusts the length that the log states.
  const other = openDatabase(patients);
  onTestFinished(() => void other.close());
  other.exec('CREATE TABLE beside (id INTEGER)');
  expect(await read()).toBe('ok');
  truncateSync(patients, 4_096);
  expect([await read(), await page('/readyz')]).toEqual([INTERNAL_ERROR, 503]);
  expect(child.exitCode ?? child.signalCode).toBeNull();
});
