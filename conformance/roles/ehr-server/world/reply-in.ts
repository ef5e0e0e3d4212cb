/** Reads the reply of a step from the journal, where secrets and patient data are masked. */
import type { PlayedStep } from '../../../engine/journal/view.ts';

export function replyIn({ exchanges }: PlayedStep): Record<string, unknown> | undefined {
  try {
    return JSON.parse(exchanges[0]?.response?.body ?? '');
  } catch {
    // No reply, or none that is JSON.
    return undefined;
  }
}
