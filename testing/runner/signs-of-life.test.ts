import { expect, test } from 'vitest';
import { manualClock } from '#protocol/time/clock.ts';
import {
  CIRCLE_SECONDS,
  CIRCLES,
  endedBySilence,
  HANGS,
  SILENCE_SECONDS,
  signOfLife,
} from './signs-of-life.ts';

const SILENCE_MS = SILENCE_SECONDS * 1_000;

/** A test that ends when it is told to. */
function running() {
  const clock = manualClock();
  let end: () => void = () => undefined;
  const body = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { clock, end: () => end(), ended: endedBySilence(clock, () => body) };
}

/** Lets something happen each minute. */
function live(clock: { advance(ms: number): void }, seconds: number): void {
  for (let minute = 0; minute < seconds / 60; minute++) {
    clock.advance(60_000);
    signOfLife();
  }
}

test('a test with signs of life may outlast its time of silence', async () => {
  const { clock, end, ended } = running();
  live(clock, CIRCLE_SECONDS - 60);
  end();
  await expect(ended).resolves.toBeUndefined();
});

test('a test without signs of life is ended, with the reason', async () => {
  const { clock, ended } = running();
  clock.advance(SILENCE_MS - 1);
  signOfLife();
  clock.advance(SILENCE_MS);
  const failed = expect(ended).rejects.toThrow(HANGS);
  clock.advance(SILENCE_MS);
  await failed;
});

test('a test that goes round in a circle is ended', async () => {
  const { clock, ended } = running();
  const failed = expect(ended).rejects.toThrow(CIRCLES);
  live(clock, CIRCLE_SECONDS);
  await failed;
});

test('a failure is the failure of the test', async () =>
  await expect(endedBySilence(manualClock(), () => Promise.reject(new Error('as it is')))).rejects.toThrow(
    'as it is',
  ));
