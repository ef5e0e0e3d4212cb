/** For tests: a run without a terminal, with seed 1 and the system clock unless others are given. */
import { systemClock } from '#protocol/time/clock.ts';
import { type OpenRun, openRun, type RunParts } from '../roles/auth-server/run.ts';

/** Opens a run of an adapter file. Nothing is told and no question is answered. */
export function openTestRun(loaded: RunParts['loaded'], changes: Partial<RunParts> = {}): Promise<OpenRun> {
  return openRun({
    loaded,
    clock: systemClock,
    seed: 1,
    env: {},
    signal: new AbortController().signal,
    tell: () => undefined,
    ask: async () => undefined,
    ...changes,
  });
}
