/** Helpers that read what steps yielded. */
import type { Fault, Judgement, Shown } from '../../../engine/check/steps.ts';
import type { PlayedStep } from '../../../engine/journal/view.ts';

export const isDone = ({ result }: PlayedStep) => result.kind === 'done';
export const yielded = ({ result }: PlayedStep, name: string) =>
  result.kind === 'done' ? result.values[name] : undefined;

/** The run does not show whether it is right. */
export const unclear = (because: string, ...shownBy: readonly Shown[]): Judgement => ({
  unclear: because,
  shownBy,
});

export const fault = (expected: string, actual: string, ...shownBy: readonly Shown[]): Fault => ({
  expected,
  actual,
  shownBy,
});
