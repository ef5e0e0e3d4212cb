/**
 * Judges whether a value that an answer carried opens a session, although the answer must not open one. Such
 * an answer is the refusal of a wrong code, or the answer to a logout.
 */
import type { Fault, Steps } from '../../../engine/check/steps.ts';
import { isDone, wasTold } from './step-values.ts';

/**
 * Returns the fault when the server gave an exchange token for a value that the answer carried. An invented
 * value must have been refused: a server that accepts any value proves nothing here.
 * @param what.carried,what.inventedInstead the labels of the two steps that ask for an exchange token
 */
export function carriedSession(
  steps: Steps,
  { carried, inventedInstead }: { carried: string; inventedInstead: string },
  fault: Fault,
): Fault | undefined {
  const opened = steps.all(carried).find(isDone);
  const invented = steps.find(inventedInstead);
  if (!opened || !invented || !wasTold(invented)) return undefined;
  return { ...fault, shownBy: [...fault.shownBy, opened, invented] };
}
