import { expect, test } from 'vitest';
import { manualClock } from '#protocol/clock.ts';
import { MemoryWindows } from './memory-windows.ts';

const outcomeOf = (consuming: Promise<unknown>) =>
  consuming.then(
    (granted) => ({ granted }),
    (refused: unknown) => ({ refused }),
  );

test('the library grants and refuses by what is kept here, on the clock that was handed in', async () => {
  const clock = manualClock();
  const windows = new MemoryWindows({ points: 3, durationMs: 10_000, clock });
  expect(await outcomeOf(windows.consume('a', 2))).toMatchObject({
    granted: { consumedPoints: 2, remainingPoints: 1, msBeforeNext: 10_000, isFirstInDuration: true },
  });
  clock.advance(4_000);
  expect(await outcomeOf(windows.consume('a', 2))).toMatchObject({
    refused: { consumedPoints: 4, remainingPoints: 0, msBeforeNext: 6_000 },
  });
  expect(await windows.get('a')).toMatchObject({ consumedPoints: 4 });
  clock.advance(6_000);
  expect(await windows.get('a')).toBeNull();
  expect(await outcomeOf(windows.consume('a', 3))).toMatchObject({ granted: { consumedPoints: 3 } });
  expect(await windows.delete('a')).toBe(true);
  expect(await outcomeOf(windows.consume('a', 3))).toMatchObject({ granted: { consumedPoints: 3 } });
});

test('windows that ended make room, and a flood pushes out the oldest', async () => {
  const clock = manualClock();
  const windows = new MemoryWindows({ points: 1, durationMs: 1_000, clock, maxKeys: 10 });
  for (let key = 0; key < 5; key++) await windows.consume(`early ${key}`);
  clock.advance(500);
  for (let key = 0; key < 4; key++) await windows.consume(`late ${key}`);
  clock.advance(500);
  await windows.consume('last');
  expect(windows.size).toBe(5);
  for (let key = 0; key < 20; key++) await windows.consume(`flood ${key}`);
  expect(windows.size).toBe(10);
  expect(await windows.get('last')).toBeNull();
  expect(await windows.get('flood 19')).toMatchObject({ consumedPoints: 1 });
});
