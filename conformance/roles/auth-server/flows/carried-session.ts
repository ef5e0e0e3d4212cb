/** What an answer carried, used as a session although the answer is to open none. */
import type { Fault, Steps } from '../../../engine/check/steps.ts';
import { isDone } from './step-values.ts';

/** The fault that a carried value was given an exchange token, and an invented one was not. */
export function carriedSession(
  steps: Steps,
  { carried, inventedInstead }: { carried: string; inventedInstead: string },
  fault: Fault,
): Fault | undefined {
  const opened = steps.all(carried).find(isDone);
  const invented = steps.find(inventedInstead);
  if (!opened || invented?.result.kind !== 'refused') return undefined;
  return { ...fault, shownBy: [...fault.shownBy, opened, invented] };
}
