/**
 * Overlaps steps of a scenario: the kit's proxy delays or hangs the server's call to the EHR server, so that
 * one step stays unfinished while the scenario performs other steps.
 */
import type { StepName } from '../../../../engine/journal/entry.ts';
import type { Fault } from '../../../../engine/wire/faults.ts';
import type { Driver, StepOptions, User } from '../driver.ts';
import type { StepLabel } from '../steps.ts';

/** A step that is to be kept unfinished: whose, which, under which label in the journal. */
type Held = { user: User; step: StepName; label: StepLabel; options?: StepOptions };

/**
 * Limits the wait (ms) until the calls of several steps have all met the fault. A server that queues its
 * calls makes the next one only when the first is over, so an unlimited wait would never end.
 */
const MAX_WAIT_MS = 300;

/**
 * Begins a step, and runs `meanwhile` once the step's call to the EHR server has met the fault. Resolves when
 * both are over. The fault `hang` ends, and the hanging call breaks, when `meanwhile` is done.
 */
export function whileHeld(
  driver: Driver,
  held: Held,
  fault: HoldingFault,
  meanwhile: () => Promise<unknown>,
): Promise<void> {
  return whileAllHeld(driver, [held], fault, meanwhile);
}

/** A fault of the wire, and which call of the server it strikes. */
type HoldingFault = Fault & { method: 'exchange-token' | 'auth-info' };

/** Does what {@link whileHeld} does, with several unfinished steps at once. */
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
    // The fault strikes one call; `end` takes the fault back.
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
