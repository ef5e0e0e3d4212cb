/** Labels of steps that a scenario plays as one, such as a sign-in with the request for its code. */
import type { Label } from '../../../engine/journal/entry.ts';

/** The label of a part: `part('Ann signs in', 'request a code')` is 'Ann signs in: request a code'. */
export function part<T extends string | Label>(step: T, name: StepPart): T {
  const labelOf = (label: string) => `${label}: ${name}`;
  // The cast: the compiler does not see that each branch returns the type that came in.
  return (typeof step === 'string' ? labelOf(step) : { ...(step as Label), label: labelOf(step.label) }) as T;
}

/** The parts of composed steps: of a link, or the request of a sign-in for its code. */
export type StepPart = LinkPart | 'request a code';

export type LinkPart = 'exchange token' | 'authenticate' | 'report';
