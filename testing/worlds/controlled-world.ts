/** A world whose servers have their control ports and a clock each, as in the demo. */
import { onTestFinished } from 'vitest';
import { type MovableClock, manualClock } from '#protocol/time/clock.ts';
import { openControl } from '#service/http/control/control.ts';
import type { Listening } from '#service/http/listener/listener.ts';
import { startWorld, type World, type WorldOptions } from './world.ts';

export type ControlledWorld = World & {
  readonly authClock: MovableClock;
  readonly ehrControl: Listening;
  readonly authControl: Listening;
};

export async function useControlledWorld(options: WorldOptions = {}): Promise<ControlledWorld> {
  const authClock = manualClock();
  const world = await startWorld({ ...options, authClock });
  const ehrControl = await openControl(world.clock, 0, '--control-port', world.ehr.controlRoutes);
  const authControl = await openControl(authClock, 0, '--control-port', world.auth.controlRoutes);
  onTestFinished(async () => {
    await Promise.all([ehrControl.stop(), authControl.stop()]);
    await world.stop();
  });
  return { ...world, authClock, ehrControl, authControl };
}
