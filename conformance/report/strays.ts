/** Requests that nobody of the run sent, by kind: reports list them, and no check judges them. */
import type { Entry } from '../journal/entry.ts';
import type { Report } from './schema.ts';

export type Stray = NonNullable<Report['strays']>[number];

/** More kinds than this are not listed one by one. */
const MAX_KINDS = 10;

/** The strays of a journal, each kind once, in the order in which they came. */
export function straysOf(entries: readonly Entry[]): Stray[] {
  const kinds = new Map<string, Stray>();
  for (const entry of entries) {
    if (entry.kind !== 'exchange' || entry.facts.stray === undefined) continue;
    const { link, request, facts } = entry;
    const call = `${request.method} ${request.path.replace(/\?.*$/s, '')}`;
    const because = facts.stray ?? '';
    const known = kinds.get(`${link} ${call} ${because}`);
    if (known) known.times++;
    else kinds.set(`${link} ${call} ${because}`, { link, call, because, times: 1 });
  }
  return [...kinds.values()].slice(0, MAX_KINDS);
}

/** All of them in one sentence; undefined when there were none. */
export function straySentence({ strays = [] }: Pick<Report, 'strays'>): string | undefined {
  if (strays.length === 0) return undefined;
  const kinds = strays.map(
    ({ link, call, because, times }) => `${call} on ${link} (${because}${times > 1 ? `, ${times} times` : ''})`,
  );
  return `Requests that nobody of this run sent, listed and not judged: ${kinds.join('; ')}.`;
}
