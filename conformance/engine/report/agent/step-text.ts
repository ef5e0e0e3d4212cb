/** Writes a step of a scenario for a program. */
import { describe } from '../../journal/describe-result.ts';
import type { PlayedStep } from '../../journal/played-steps.ts';

/** A step and how it ended; its answer is the words of a party. */
export function stepText({ step, result }: Pick<PlayedStep, 'step' | 'result'>): string {
  // An EHR server is called by the kit alone, so its steps name nobody.
  const by = step.user === '' ? '' : ` by ${step.user}`;
  const wrong = step.defect === undefined ? '' : `, wrong on purpose: ${step.defect}`;
  return `${step.label} [${step.step}${by}${wrong}]: ${describe(result)}`;
}
