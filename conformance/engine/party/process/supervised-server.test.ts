import { expect, test } from 'vitest';
import { manualClock } from '#protocol/time/clock.ts';
import type { ServerEntry } from '../../journal/entry.ts';
import type { ServerProcess } from './server-process.ts';
import { type SupervisedParts, SupervisedServer } from './supervised-server.ts';

type Told = Omit<ServerEntry, 'kind' | 'seq' | 'at'>;

/** A process that ends when the test says so. */
function fakeProcess() {
  let how: string | undefined;
  const ends: (() => void)[] = [];
  const gone = new Promise<void>((resolve) => ends.push(resolve));
  const end = (words: string) => {
    how ??= words;
    for (const each of ends) each();
  };
  const child: ServerProcess = {
    pid: 1,
    output: () => ['started', 'TypeError: nothing there'],
    ended: () => how,
    gone,
    closed: gone,
    stop: async (how) => end(`was killed by ${how === 'killed' ? 'SIGKILL' : 'SIGTERM'}`),
  };
  return { child, end };
}

/** Starts these processes, one after the other. */
function starting(...processes: ReturnType<typeof fakeProcess>[]) {
  return async () => {
    const next = processes.shift();
    if (!next) throw new Error('the port is taken');
    return next.child;
  };
}

function supervised(parts: Partial<SupervisedParts> = {}) {
  const told: Told[] = [];
  const clock = manualClock();
  const isUp = { value: true };
  const run = new AbortController();
  const server = new SupervisedServer({
    clock,
    isListening: async () => isUp.value,
    onEvent: (event) => told.push(event),
    signal: run.signal,
    ...parts,
  });
  /** Ends each wait as soon as it begins. */
  const settle = async () => {
    const settled = server.settled();
    let isOver = false;
    void settled.then(() => {
      isOver = true;
    });
    while (!isOver) {
      await new Promise(setImmediate);
      clock.advance(500);
    }
    return settled;
  };
  return { server, told, clock, isUp, settle, run };
}

test('a process that ends by itself is told once, and started again', async () => {
  const first = fakeProcess();
  const { server, told, settle } = supervised({ start: starting(first, fakeProcess()) });
  await server.open();
  first.end('ended with code 1');
  server.onConnectionBroken();
  await new Promise(setImmediate);
  expect(await settle()).toBe(true);
  expect(told).toEqual([
    { event: 'died', ended: 'ended with code 1', output: ['started', 'TypeError: nothing there'] },
    { event: 'started' },
  ]);
});

test('a broken connection to a server that listens means nothing', async () => {
  const { server, told, settle } = supervised({ restart: async () => undefined });
  server.onConnectionBroken();
  expect(await settle()).toBe(true);
  expect(told).toEqual([]);
});

test('a server that the kit did not start is given up when gone', async () => {
  const { server, told, settle, isUp } = supervised();
  isUp.value = false;
  server.onConnectionBroken();
  expect(await settle()).toBe(false);
  expect(told).toEqual([
    { event: 'died', ended: 'closed its port' },
    { event: 'unreachable', ended: 'nothing listens at its address any more' },
  ]);
  server.onConnectionBroken();
  expect(await settle()).toBe(false);
  expect(told).toHaveLength(2);
});

const FROM_OUTSIDE = [
  { event: 'died', ended: 'was restarted from outside', outside: true },
  { event: 'started' },
];

test('a server that somebody else starts again is used again, and told as such', async () => {
  let looks = 0;
  const { server, told, settle } = supervised({ isListening: async () => ++looks > 3 });
  server.onConnectionBroken();
  expect(await settle()).toBe(true);
  expect(told).toEqual(FROM_OUTSIDE);
});

test('a watcher that the kit started may restart the server itself', async () => {
  let looks = 0;
  const [watcher, other] = [fakeProcess(), fakeProcess()];
  const parts = { start: starting(watcher, other), isListening: async () => ++looks > 3 };
  const { server, told, settle } = supervised(parts);
  await server.open();
  server.onConnectionBroken();
  expect(await settle()).toBe(true);
  expect(told).toEqual(FROM_OUTSIDE);
  expect(watcher.child.ended()).toBeUndefined();
});

test.each([
  ['asked', 'SIGTERM'],
  ['killed', 'SIGKILL'],
] as const)('a restart on purpose is no death: the process is %s to end', async (how, signal) => {
  const first = fakeProcess();
  const { server, told, settle } = supervised({ start: starting(first, fakeProcess()) });
  await server.open();
  await server.restart(how);
  expect(first.child.ended()).toBe(`was killed by ${signal}`);
  expect(await settle()).toBe(true);
  await server.stop();
  await new Promise(setImmediate);
  expect(told).toEqual([]);
});

test('a server that does not start again is gone, with the reason', async () => {
  const first = fakeProcess();
  const { server, told, settle } = supervised({ start: starting(first) });
  await server.open();
  first.end('was killed by SIGSEGV');
  await new Promise(setImmediate);
  expect(await settle()).toBe(false);
  expect(told.at(-1)).toEqual({ event: 'unreachable', ended: 'it did not start again: the port is taken' });
});

test('after the run is broken off nothing is told', async () => {
  const only = fakeProcess();
  const { server, told, settle, run } = supervised({ start: starting(only) });
  await server.open();
  run.abort();
  only.end('was killed by SIGINT');
  await new Promise(setImmediate);
  await settle();
  expect(told).toEqual([]);
});
