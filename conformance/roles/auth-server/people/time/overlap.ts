/** Overlaps steps: the proxy delays the server's call, so that one stays unfinished. */
import type { StepName } from '../../../../engine/journal/entry.ts';
import type { Fault } from '../../../../engine/wire/faults.ts';
import type { Driver, StepOptions, User } from '../driver.ts';
import type { StepLabel } from '../steps.ts';

type Held = { user: User; step: StepName; label: StepLabel; options?: StepOptions };

type HoldingFault = Fault & { method: 'exchange-token' | 'auth-info' };

/** Begins a step, and runs `meanwhile` once its call has met the fault. */
export async function whileHeld(
  driver: Driver,
  { user, step, label, options }: Held,
  { method, ...fault }: HoldingFault,
  meanwhile: () => Promise<unknown>,
): Promise<void> {
  let onMet: () => void = () => undefined;
  const met = new Promise<void>((resolve) => {
    onMet = resolve;
  });
  // The fault strikes one call; `end` takes the fault back.
  const end = driver.fault(user, method, fault, 1, onMet);
  const ended = driver.perform(user, step, label, options);
  // A server that makes no such call must not block the scenario.
  await Promise.race([met, ended]);
  try {
    await meanwhile();
  } finally {
    await ended;
    end();
  }
}
