/** For tests: a person who answers every question of `init` by Enter alone. */
import type { Asking } from '../engine/cli/init/asking.ts';

export const usualAnswers: Asking = {
  text: async (_question, usual) => usual,
  choice: async (_question, [first]) => first,
};
