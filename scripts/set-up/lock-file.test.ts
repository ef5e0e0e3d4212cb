import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { withLock } from './lock-file.mjs';

let directory: string;
let file: string;

beforeEach(() => {
  // A process that waits prints a line.
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  directory = temporaryFolder();
  file = join(directory, 'data', 'a.lock');
});

/** Returns the process id of a program that has ended. */
const deadPid = () => execFileSync(process.execPath, ['-p', 'process.pid'], { encoding: 'utf8' }).trim();

test('two who want the lock at once work one after the other', async () => {
  const steps: string[] = [];
  const work = (name: string) => async () => {
    steps.push(`${name} begins`);
    await new Promise((resolve) => setImmediate(resolve));
    steps.push(`${name} ends`);
  };
  await Promise.all(['a', 'b', 'c'].map((name) => withLock(file, 'test', work(name), 5)));
  expect(steps).toHaveLength(6);
  for (const at of [0, 2, 4]) expect(steps[at]?.replace('begins', 'ends')).toBe(steps[at + 1]);
});

test('the lock names its owner while held, and goes with failed work', async () => {
  const failing = withLock(file, 'test', async () => {
    expect(readFileSync(file, 'utf8')).toBe(`${hostname()} ${process.pid}`);
    throw new Error('the work failed');
  });
  await expect(failing).rejects.toThrow('the work failed');
  expect(existsSync(file)).toBe(false);
});

test('the lock of a dead process goes to one of the waiters', async () => {
  mkdirSync(join(directory, 'data'));
  writeFileSync(file, `${hostname()} ${deadPid()}`);
  let working = 0;
  let most = 0;
  const work = async () => {
    most = Math.max(most, ++working);
    await new Promise((resolve) => setImmediate(resolve));
    working--;
  };
  await Promise.all([1, 2, 3, 4].map(() => withLock(file, 'test', work, 5)));
  expect(most).toBe(1);
});

test('the lock holds while a helper of its dead owner lives', async () => {
  mkdirSync(join(directory, 'data'));
  writeFileSync(file, `${hostname()} ${deadPid()} ${process.ppid}`);
  let released = false;
  const taken = withLock(file, 'test', async () => expect(released).toBe(true), 5);
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  released = true;
  writeFileSync(file, `${hostname()} ${deadPid()}`);
  await taken;
});

test('the lock of a silent machine is taken over after its beats', async () => {
  mkdirSync(join(directory, 'data'));
  writeFileSync(file, 'another-machine 1');
  let worked = false;
  await withLock(
    file,
    'test',
    async () => {
      worked = true;
    },
    1,
  );
  expect(worked).toBe(true);
});
