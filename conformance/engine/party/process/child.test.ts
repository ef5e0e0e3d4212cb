import { expect, test } from 'vitest';
import { systemClock } from '#protocol/time/clock.ts';
import { outputTail, runChild } from './child.ts';

function tailOf(...chunks: (string | Uint8Array)[]) {
  const heard: string[] = [];
  const tail = outputTail({
    show: (line) => line.replaceAll('secret', '•••'),
    onLine: (line) => void heard.push(line),
  });
  const stream = tail.stream('stdout');
  for (const chunk of chunks) stream(Buffer.from(chunk));
  return { tail, stream, heard };
}

test('the last fifty lines are kept, oldest first', () => {
  const { tail, heard } = tailOf(...Array.from({ length: 80 }, (_, index) => `line ${index}\n`));
  expect(tail.lines()).toEqual(Array.from({ length: 50 }, (_, index) => `line ${index + 30}`));
  expect(heard).toHaveLength(80);
});

test('a line in pieces is one line, and the last needs no end', () => {
  const { tail, stream } = tailOf('he', 'llo\r\nwor', 'ld');
  expect(tail.lines()).toEqual(['hello']);
  stream(undefined);
  expect(tail.lines()).toEqual(['hello', 'world']);
});

test('a character in two pieces stays whole', () => {
  const bytes = Buffer.from('Привет\n');
  expect(tailOf(bytes.subarray(0, 3), bytes.subarray(3)).tail.lines()).toEqual(['Привет']);
});

test('a line is made fit to be shown before it is cut', () => {
  const { tail, heard } = tailOf(`${'x'.repeat(497)}secret\n`);
  expect(tail.lines()).toEqual([`${'x'.repeat(497)}•••`]);
  expect(heard).toEqual([`${'x'.repeat(497)}secret`]);
});

test('a line without an end does not fill the memory', () => {
  const { tail, heard } = tailOf(...Array.from({ length: 100 }, () => 'x'.repeat(10_000)), '\nnext\n');
  expect(heard.map((line) => line.length)).toEqual([270_000, 4]);
  expect(tail.lines()).toEqual(['x'.repeat(500), 'next']);
});

test('two streams do not run into each other', () => {
  const { tail, stream: out } = tailOf('out ');
  const err = tail.stream('stderr');
  err(Buffer.from('err\n'));
  out(Buffer.from('put\n'));
  expect(tail.lines()).toEqual(['err', 'out put']);
});

const PROGRAM = `process.on('SIGTERM', () => process.exit(3)); setInterval(() => {}, 1000); console.log('up')`;

test.each([
  ['asked', 'ended with code 3'],
  ['killed', 'was killed by SIGKILL'],
] as const)('a program that is %s to end %s', async (how, ended) => {
  let isUp: () => void = () => undefined;
  const up = new Promise<void>((resolve) => {
    isUp = resolve;
  });
  const child = await runChild(
    { command: [process.execPath, '-e', PROGRAM], cwd: '.', env: process.env },
    { clock: systemClock, stopWithinMs: 10_000, show: (line) => line, onLine: () => isUp() },
  );
  await up;
  await child.stop(how);
  expect(child.ended()).toBe(ended);
});
