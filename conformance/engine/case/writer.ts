/** Writes the parts of a fact as expressions of one script. */
import type { Writer } from './fact.ts';
import type { Flow } from './flow.ts';
import { quoted } from './js-text.ts';
import type { Trace } from './trace/traced-call.ts';

/** Writes the parts of a fact for this script. */
export function writerOf(
  { calls, names, invented }: Trace,
  flow: Flow,
  onAsked: (index: number) => void = () => undefined,
): Writer {
  const indexOf = (key: string) => {
    const index = calls.findIndex((call) => call.key === key);
    if (index !== -1) onAsked(index);
    return index;
  };
  const value = (name: string) => {
    const found = [...names].find(([, each]) => each === name)?.[0];
    if (found === undefined) return undefined;
    return flow.variable(found, calls.length) ?? (invented.has(found) ? quoted(found) : undefined);
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
    value,
    code(key, index) {
      const call = indexOf(key);
      return call === -1 ? undefined : flow.code(call, index, calls.length);
    },
    messages(name, key) {
      const [call, js] = [indexOf(key), value(name)];
      if (call === -1 || js === undefined) return undefined;
      const others = calls.flatMap(({ codes }, index) => (index === call ? [] : codes));
      const count = others.filter(({ phone }) => names.get(phone) === name).length;
      return { all: `(await messagesTo(${js}))`, others: count };
    },
  };
}
