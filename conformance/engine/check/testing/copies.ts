/** For tests: copies of a journal, which are needed by the hundred. */
import type { Entry } from '../../journal/entry.ts';

/** Copies a journal. Names and values of headers, which are most of it, are shared with the original. */
export const copyOf = (entries: readonly Entry[]): Entry[] => entries.map((entry) => copied(entry));

function copied<T extends object>(value: T): T {
  // A spread keeps the shape of an object, by which the checks then read it quickly.
  const copy = { ...value } as Record<string, unknown>;
  for (const name in copy) {
    const member = copy[name];
    if (Array.isArray(member)) copy[name] = [...member];
    else if (typeof member === 'object' && member !== null) copy[name] = copied(member);
  }
  return copy as T;
}

/** A copy whose objects have their members in the reverse order. */
export function reversed<T>(value: T): T {
  if (Array.isArray(value)) return value.map(reversed) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  ) as T;
}
