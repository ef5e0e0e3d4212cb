/** Limits the time of calls that the plain authorization servers make. */
import { setMaxListeners } from 'node:events';

/**
 * Returns a signal that aborts after `milliseconds` (undefined: no limit), or when `closing` aborts. `end`
 * detaches the signal from `closing`. `AbortSignal.any` with `AbortSignal.timeout` would not do: Node 20 may
 * collect the timeout as garbage before it fires, and the call then hangs forever.
 */
export function deadline(closing, milliseconds) {
  // Each call under way listens to `closing`, and Node warns at more than ten listeners.
  setMaxListeners(0, closing);
  const controller = new AbortController();
  const timeout = milliseconds === undefined ? undefined : AbortSignal.timeout(milliseconds);
  const abort = ({ target }) => controller.abort(target.reason);
  if (closing.aborted) controller.abort(closing.reason);
  for (const source of [closing, timeout]) source?.addEventListener('abort', abort, { once: true });
  return { signal: controller.signal, end: () => closing.removeEventListener('abort', abort) };
}
