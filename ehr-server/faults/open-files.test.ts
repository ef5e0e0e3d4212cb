import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { startSubject, storedIn } from '#testing/faults.ts';
import { folderInMemory } from '#testing/temporary-folder.ts';

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
