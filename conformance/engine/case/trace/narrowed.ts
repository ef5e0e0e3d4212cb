/** Narrows the trace of a long scenario to the users whom the finding of a check names. */
import type { Trace, TracedCall } from './traced-call.ts';

/** Among more calls, finding those that matter would take hours. */
const MAX_TRACED = 200;

/** The trace, or the part of it that matters. `near`: the keys of the calls that the finding names. */
export function narrowed(trace: Trace, near: ReadonlySet<string>): Trace {
  const { calls } = trace;
  if (calls.length <= MAX_TRACED) return trace;
  const users = new Set<string>();
  const own = () => calls.filter(({ user, link }) => users.has(user) || link === 'helper');
  // Those whom the finding names first, then others who took part from the beginning.
  const first = calls.filter(({ key }) => near.has(key));
  for (const { user, link } of [...first, ...calls]) {
    if (link === 'helper') continue;
    users.add(user);
    if (own().length <= MAX_TRACED) continue;
    users.delete(user);
    break;
  }
  return users.size > 0 ? { ...trace, calls: own() } : { ...trace, calls: calls.slice(0, MAX_TRACED) };
}

/** The trace of these calls alone. */
export const withKeys = (trace: Trace, keys: ReadonlySet<string>): Trace => ({
  ...trace,
  calls: trace.calls.filter(({ key }: TracedCall) => keys.has(key)),
});
