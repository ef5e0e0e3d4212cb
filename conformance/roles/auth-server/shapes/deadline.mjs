/** Time limits of calls. */
import { setMaxListeners } from 'node:events';

/**
 * Returns a signal that aborts after a time, if one is given, or with `closing`. `AbortSignal.any` with
 * `AbortSignal.timeout` does not work: Node 20 may collect the timeout as garbage before it fires, and the
 * call then hangs forever. `end` detaches it from `closing`.
 */
export function deadline(closing, milliseconds) {
  // Each call under way listens.
  setMaxListeners(0, closing);
  const controller = new AbortController();
  const timeout = milliseconds === undefined ? undefined : AbortSignal.timeout(milliseconds);
  const abort = ({ target }) => controller.abort(target.reason);
  if (closing.aborted) controller.abort(closing.reason);
  for (const source of [closing, timeout]) source?.addEventListener('abort', abort, { once: true });
  return { signal: controller.signal, end: () => closing.removeEventListener('abort', abort) };
}
