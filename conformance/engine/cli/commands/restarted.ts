/** Waits until a server was restarted: it refused connections, and takes them again. */
import type { Clock } from '#protocol/time/clock.ts';
import { isListening } from '../../party/process/listening.ts';
import { pause } from '../../party/requests/pause.ts';

/** Pause (ms) between two looks. A restart that takes less may be missed. */
const POLL_MS = 100;

type Waiting = {
  clock: Clock;
  /** Ends the waiting. */
  signal: AbortSignal;
  /** Called when the server is gone. */
  onGone: () => void;
};

/** Resolves when the server at this address was restarted, or when the signal is aborted. */
export async function restarted(address: string, { clock, signal, onGone }: Waiting): Promise<void> {
  const until = async (there: boolean) => {
    while (!signal.aborted && (await isListening(address, clock)) !== there)
      await pause(clock, POLL_MS, signal);
  };
  await until(false);
  if (signal.aborted) return;
  onGone();
  await until(true);
}
