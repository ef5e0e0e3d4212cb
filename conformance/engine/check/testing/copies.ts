/** For tests: copies of a journal that differ from it in one thing. */
import type { Entry } from '../../journal/entry.ts';

/** Copies the entries deeply. Only the header pairs, most of a journal, are shared with the original. */
export const copyOf = (entries: readonly Entry[]): Entry[] => entries.map((entry) => copied(entry));

function copied<T extends object>(value: T): T {
  // A spread keeps V8's hidden class of the object, so checks read the copy as fast as the original.
  const copy = { ...value } as Record<string, unknown>;
  for (const name in copy) {
    const member = copy[name];
    if (Array.isArray(member)) copy[name] = [...member];
    else if (typeof member === 'object' && member !== null) copy[name] = copied(member);
  }
  return copy as T;
}

export function reversed<T>(value: T): T {
  if (Array.isArray(value)) return value.map(reversed) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  ) as T;
}

/** The entries, as if the request of this step had never been answered. */
export const unanswered = (entries: readonly Entry[], step: number) =>
  entries.map((entry): Entry => {
    if (entry.kind === 'outcome' && entry.step === step)
      return { ...entry, result: { kind: 'failed', what: 'timeout', detail: 'no answer came' } };
    if (entry.kind !== 'exchange' || entry.step !== step) return entry;
    const { response: _none, ...asked } = entry;
    return asked;
  });

/** The words of a party may be the names of inherited members, which every object has. */
export function withMethod(method: string, entries: readonly Entry[]): Entry[] {
  return entries.map((entry) => {
    if (entry.kind !== 'exchange' || !entry.facts.call) return entry;
    return { ...entry, facts: { ...entry.facts, call: { ...entry.facts.call, method } } };
  });
}
