/** A world for one vitest test: it stops at the test's end, which fails when a message broke the contract. */
import { expect, onTestFinished } from 'vitest';
import { startWorld, type World, type WorldOptions } from './world.ts';

export async function useWorld(options?: WorldOptions): Promise<World> {
  const world = await startWorld(options);
  onTestFinished(async () => {
    await world.stop();
    expect(world.breaches()).toEqual([]);
  });
  return world;
}
