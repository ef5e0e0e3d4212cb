/** Labels of steps that have several parts. */
import type { Label } from '../../../engine/journal/entry.ts';

/** A part of a step that has several, such as the code request of a sign-in. */
export function part<T extends string | Label>(step: T, name: StepPart): T {
  const named = (label: string) => `${label}: ${name}`;
  return (typeof step === 'string' ? named(step) : { ...(step as Label), label: named(step.label) }) as T;
}

/** What a step of several parts is made of. */
export type StepPart = LinkPart | 'request a code';

/** The parts of a link, in order. */
export type LinkPart = 'exchange token' | 'authenticate' | 'report';
