/** Helpers that read what steps yielded. */
import type { PlayedStep } from '../../../engine/journal/view.ts';

export const isDone = ({ result }: PlayedStep) => result.kind === 'done';
export const yielded = ({ result }: PlayedStep, name: string) =>
  result.kind === 'done' ? result.values[name] : undefined;
