/**
 * For tests: opens a run against an authorization server, without a terminal, with seed 1 and the system
 * clock.
 */
import { systemClock } from '#protocol/time/clock.ts';
import { type OpenRun, openRun, type RunParts } from '../roles/auth-server/run.ts';

/**
 * Opens a run by an adapter file. Messages go nowhere, questions stay unanswered. `changes` replaces parts.
 */
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
