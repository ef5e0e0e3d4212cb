/** Overlaps steps: the EHR server holds one back while others are performed. */
import type { StepName } from '../../../../engine/journal/entry.ts';
import type { Fault } from '../../../../engine/wire/faults.ts';
import type { Driver, StepOptions, User } from '../driver.ts';
import type { StepLabel } from '../steps.ts';

type Held = { user: User; step: StepName; label: StepLabel; options?: StepOptions };

/** Waits this long (ms) for the calls of several steps: a server with a queue makes some of them late. */
const MAX_WAIT_MS = 300;

/**
 * Begins a step, and runs `meanwhile` once its call to the EHR server has met the fault. A hanging call
 * breaks when `meanwhile` is done.
 */
export function whileHeld(
  driver: Driver,
  held: Held,
  fault: HoldingFault,
  meanwhile: () => Promise<unknown>,
): Promise<void> {
  return whileAllHeld(driver, [held], fault, meanwhile);
}

type HoldingFault = Fault & { method: 'exchange-token' | 'auth-info' };

/** As {@link whileHeld}, with several steps at once. */
export async function whileAllHeld(
  driver: Driver,
  all: readonly Held[],
  { method, ...fault }: HoldingFault,
  meanwhile: () => Promise<unknown>,
): Promise<void> {
  const begun = all.map(({ user, step, label, options }) => {
    let onMet: () => void = () => undefined;
    const met = new Promise<void>((resolve) => {
      onMet = resolve;
    });
    const end = driver.fault(user, method, fault, 1, onMet);
    const ended = driver.perform(user, step, label, options);
    // A server that makes no such call must not block the scenario.
    return { end, ended, held: Promise.race([met, ended]) };
  });
  const allHeld = Promise.all(begun.map(({ held }) => held));
  await (all.length === 1 ? allHeld : Promise.race([allHeld, driver.wait(MAX_WAIT_MS)]));
  try {
    await meanwhile();
  } finally {
    if (fault.name === 'hang') for (const { end } of begun) end();
    await Promise.all(begun.map(({ ended }) => ended));
    for (const { end } of begun) end();
  }
}
