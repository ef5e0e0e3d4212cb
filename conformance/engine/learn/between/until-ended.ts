/** Waits until a person ends the recording of `learn`. */
import type { Clock } from '#protocol/time/clock.ts';
import type { Input } from '../../cli/init/answers.ts';

/**
 * Resolves at Ctrl-C, after `forMs`, or when a person at a terminal presses Enter. A pipe is not read: its
 * lines answer the questions that follow.
 */
export async function untilEnded(input: Input, clock: Clock, forMs?: number): Promise<void> {
  const ends: (() => void)[] = [];
  await new Promise<void>((resolve) => {
    const end = () => resolve();
    process.once('SIGINT', end);
    ends.push(() => process.off('SIGINT', end));
    if (forMs !== undefined) ends.push(clock.after(forMs, end));
    if (!input.isTTY) return;
    // A terminal gives a line when Enter is pressed.
    input.once('data', end);
    ends.push(() => input.off('data', end).pause());
  });
  for (const each of ends) each();
}
