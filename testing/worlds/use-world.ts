/** A world for one test, which fails when a message violated the contract. */
import { onTestFinished } from 'vitest';
import { rejectViolations } from '../wire.ts';
import { startWorld, type World, type WorldOptions } from './world.ts';

export async function useWorld(options?: WorldOptions): Promise<World> {
  const world = await startWorld(options);
  onTestFinished(async () => {
    await world.stop();
    rejectViolations(world.violations());
  });
  return world;
}
