/** Writes the parts of a fact as expressions of one script. */
import type { Writer } from './fact.ts';
import type { Flow } from './flow.ts';
import { quoted } from './js-text.ts';
import type { Trace } from './trace.ts';

/** Writes the parts of a fact for this script. */
export function writerOf(
  { calls, names }: Trace,
  flow: Flow,
  onAsked: (index: number) => void = () => undefined,
): Writer {
  const indexOf = (key: string) => {
    const index = calls.findIndex((call) => call.key === key);
    if (index !== -1) onAsked(index);
    return index;
  };
  return {
    answer(key) {
      const index = indexOf(key);
      return index === -1 ? undefined : `a${index + 1}`;
    },
    sent(key, method) {
      const index = indexOf(key);
      return index === -1 ? undefined : `sent(${index + 1}, ${quoted(method)})`;
    },
    value(name) {
      const value = [...names].find(([, each]) => each === name)?.[0];
      return value === undefined ? undefined : flow.variable(value, calls.length);
    },
    code(key, index) {
      const code = calls[indexOf(key)]?.codes[index]?.code;
      return code === undefined ? undefined : flow.variable(code, calls.length);
    },
  };
}
