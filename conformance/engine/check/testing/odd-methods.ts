/** For tests: the words of a party may be the names of inherited members, which every object has. */
import type { Entry } from '../../journal/entry.ts';
import type { Verdict } from '../verdict.ts';

export function withMethod(method: string, entries: readonly Entry[]): Entry[] {
  return entries.map((entry) => {
    if (entry.kind !== 'exchange' || !entry.facts.call) return entry;
    return { ...entry, facts: { ...entry.facts, call: { ...entry.facts.call, method } } };
  });
}

export function brokenChecks(verdicts: readonly Verdict[]): string[] {
  return verdicts.flatMap(({ check, finding }) =>
    finding.outcome === 'inconclusive' && finding.because.startsWith('this check has a fault') ? [check] : [],
  );
}
