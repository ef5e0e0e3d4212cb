/** Creates an adapter for tests from a variant of the smallest file; its steps go to a fake server. */
import { onTestFinished } from 'vitest';
import { type Clock, systemClock } from '#protocol/time/clock.ts';
import type { StepName, StepResult } from '../../../../engine/journal/entry.ts';
import type { Adapter, AdapterParts, StepInput } from '../adapter.ts';
import { openOtpSource } from '../otp/source.ts';
import { createAdapter } from '../steps/http-adapter.ts';
import { loadVariant } from './adapter-file.ts';

export type TestAdapter = Adapter & { does(step: StepName, input?: StepInput): Promise<StepResult> };

export type TestParts = Partial<Omit<AdapterParts, 'clock'>> & {
  clock?: Clock;
  env?: Record<string, string>;
};

/** Creates an adapter whose steps go to `baseUrl`, and closes it when the test ends. */
export async function startAdapter(
  baseUrl: string,
  changes: Parameters<typeof loadVariant>[0] = {},
  parts: TestParts = {},
): Promise<TestAdapter> {
  const { clock = systemClock, env = {} } = parts;
  const loaded = await loadVariant(changes, env);
  const adapter = await createAdapter(loaded, {
    baseUrl,
    clock,
    seed: 1,
    otp: await openOtpSource(loaded.settings, { clock, ask: async () => undefined }),
    tell: () => undefined,
    waitForEffect: async () => ({}),
    ...parts,
  });
  onTestFinished(() => adapter.close());
  return {
    ...adapter,
    does: (step, input = {}) => adapter.perform(step, input, new AbortController().signal),
  };
}
