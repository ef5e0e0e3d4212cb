import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import {
  INTERNAL_ERROR,
  limitedFiles,
  type SmallDisk,
  smallFileSystem,
  startSubject,
  storedIn,
} from '#testing/faults.ts';
import { folderInMemory } from '#testing/temporary-folder.ts';

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

const MAX_OPEN_FILES = 120;

test('a server whose open files are used up goes on and loses nothing', async () => {
  const folder = folderInMemory();
  const through = ['sh', '-c', `ulimit -n ${MAX_OPEN_FILES}; exec "$@"`, 'sh'];
  const { file, url, save, read, page, acknowledged, complaints } = await startSubject({ folder, through });
  const idle: Socket[] = [];
  const closed = new Set<Socket>();
  onTestFinished(() => {
    for (const socket of idle) socket.destroy();
  });
  const { port } = new URL(url);
  const open = () =>
    new Promise<void>((resolve) => {
      const socket = connect(Number(port), '127.0.0.1');
      idle.push(socket);
      socket.on('connect', resolve).on('error', () => resolve());
      socket.on('close', () => closed.add(socket));
    });
  // Many more connections than the process can hold, several at a time.
  for (let round = 0; round < 40; round++) await Promise.all(Array.from({ length: 10 }, open));
  // What the process cannot hold is closed.
  await expect.poll(() => closed.size, { timeout: 10_000 }).toBeGreaterThanOrEqual(40 * 10 - MAX_OPEN_FILES);
  for (const socket of idle) socket.destroy();
  await expect.poll(() => page('/healthz').catch(() => 0), { timeout: 10_000 }).toBe(200);
  expect([await save(), await read(), await page('/readyz')]).toEqual(['ok', 'ok', 200]);
  const outcomes = await Promise.all(Array.from({ length: 20 }, save));
  expect(new Set(outcomes)).toEqual(new Set(['ok']));
  expect(storedIn(file, acknowledged)).toEqual(acknowledged);
  const told = complaints().map(({ msg }) => msg);
  expect(told).toEqual([
    expect.stringMatching(/^too many connections: .*Please raise --max-connections .*ulimit -n/),
  ]);
});

test('a database that lacks open files ends the start with what to do', async () => {
  const through = ['sh', '-c', 'ulimit -n 22; exec "$@"', 'sh'];
  await expect(startSubject({ folder: folderInMemory(), through })).rejects.toThrow(
    /It ended .*(?:open files|EMFILE|unable to open)/s,
  );
});
