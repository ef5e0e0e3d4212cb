import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { manualClock } from '#protocol/time/clock.ts';
import { untilEnded } from './until-ended.ts';

const terminal = () => Object.assign(new PassThrough(), { isTTY: true });

test('Enter at a terminal ends the recording and leaves the next line to questions', async () => {
  const input = terminal();
  const ended = untilEnded(input, manualClock());
  input.write('\n');
  await ended;
  input.write('an answer\n');
  expect(String(input.read())).toBe('an answer\n');
});

test('the time given ends the recording, while a pipe waits for its questions', async () => {
  const clock = manualClock();
  const input = new PassThrough();
  input.write('an answer\n');
  const ended = untilEnded(input, clock, 5_000);
  clock.advance(5_000);
  await ended;
  expect(String(input.read())).toBe('an answer\n');
});
