/** Time limits of calls. */
import { setMaxListeners } from 'node:events';

/**
 * A signal that aborts after so long, or with `closing`. `AbortSignal.any` over `AbortSignal.timeout` will not do: in Node
 * 20 the timeout may be collected as garbage before it fires, and the call then hangs for ever. Without a time there is
 * none. `end` lets go of `closing`.
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
