/** Groups requests that are not part of the run by kind. Reports list them, no check judges them. */
import type { Entry } from '../journal/entry.ts';
import type { Report } from './schema/schema.ts';

export type Stray = NonNullable<Report['strays']>[number];

/** Limits the kinds that are listed one by one. */
const MAX_KINDS = 10;

/** Returns the strays of a journal, each kind once, in order of arrival. */
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

/** All strays in one sentence; undefined when there were none. */
export function straySentence({ strays = [] }: Pick<Report, 'strays'>): string | undefined {
  if (strays.length === 0) return undefined;
  const kinds = strays.map(
    ({ link, call, because, times }) =>
      `${call} on ${link} (${because}${times > 1 ? `, ${times} times` : ''})`,
  );
  return `Requests that nobody of this run sent, listed and not judged: ${kinds.join('; ')}.`;
}
