import { expect, test } from 'vitest';
import {
  INTERNAL_ERROR,
  limitedFiles,
  type SmallDisk,
  smallFileSystem,
  startSubject,
  storedIn,
} from '#testing/faults.ts';

test('a full disk loses no acknowledged call, and all goes on after it', async () => {
  // Where mounting is not allowed, a limit on file sizes replaces the full disk.
  await fillUp(smallFileSystem() ?? limitedFiles());
});

async function fillUp(disk: SmallDisk): Promise<void> {
  const subject = await startSubject({ folder: disk.folder, through: disk.through });
  const { save, read, page, acknowledged, complaints } = subject;
  expect(await page('/readyz')).toBe(200);
  disk.fill();
  const outcomes: string[] = [];
  const saveMany = async () => void outcomes.push(...(await Promise.all(Array.from({ length: 16 }, save))));
  // Only small groups of calls fit into the last of the space.
  for (let failed = 0; failed < 5; failed = outcomes.slice(-16).includes('ok') ? 0 : failed + 1)
    await saveMany();
  expect(await page('/readyz')).toBe(503);
  expect(outcomes.filter((outcome) => outcome === 'ok').length).toBeGreaterThan(0);
  expect(new Set(outcomes)).toEqual(new Set(['ok', INTERNAL_ERROR]));
  const before = acknowledged.length;
  // Patient data is not returned when its audit entry cannot be written. Refusing a caller needs no entry.
  await expect.poll(() => read(), { interval: 5 }).toBe(INTERNAL_ERROR);
  expect(await read('unknown')).toContain('"not_authorized"');
  expect(await page('/healthz')).toBe(200);
  expect(storedIn(subject.file, acknowledged)).toEqual(acknowledged);
  // Hundreds of calls failed, and each kind of failure is logged once.
  const told = complaints().map(({ msg }) => msg);
  expect(told.filter((line) => line.includes(`${subject.file} fails calls: ${disk.complaint}`))).toHaveLength(
    1,
  );
  expect(told.length).toBeLessThan(5);
  expect(JSON.stringify(subject.lines)).not.toMatch(/saved-|token-of-the-link/);

  disk.makeRoom(subject.child.pid as number);
  await expect.poll(() => page('/readyz'), { timeout: 5_000 }).toBe(200);
  await saveMany();
  expect(acknowledged).toHaveLength(before + 16);
  expect(await read()).toBe('ok');
  expect(storedIn(subject.file, acknowledged)).toEqual(acknowledged);
  await expect
    .poll(
      async () => {
        await save();
        return subject.lines.map(({ msg }) => msg);
      },
      { timeout: 5_000 },
    )
    .toContain(`the database ${subject.file} takes changes again`);
}
