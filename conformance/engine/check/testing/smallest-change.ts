/** For tests: what a check says after a small change to the journal of a right party. */
import type { Entry } from '../../journal/entry.ts';
import type { Run } from '../../journal/run-file.ts';
import { scenariosByEntry } from '../../report/scenarios.ts';
import type { Check } from '../check.ts';
import { judge } from '../judge.ts';
import type { Verdict } from '../verdict.ts';
import { copyOf } from './copies.ts';
import { derivedRed } from './derived-red.ts';
import { editable } from './editable.ts';

/** The entries of a run after the change, and what the check says of them. */
export type WrongRun = { entries: Entry[]; verdict: Verdict };

/**
 * Returns a function that judges the run after a small change which ought to make a check fail, once for each
 * check: the change that is written with it, or one that is found in its scenarios or in the whole run.
 */
export function smallestChangeTo({ meta, entries }: Run): (check: Check) => WrongRun {
  const known = new Map<Check, WrongRun>();
  const homes = scenariosByEntry(entries);
  const judged = (check: Check, changed: readonly Entry[]): Verdict => {
    const [verdict] = judge({ meta, entries: [...changed] }, { checks: [check], party: 'environment' });
    if (!verdict) throw new Error(`${check.id} is not judged in a run of this kind.`);
    return verdict;
  };
  const changeOf = (check: Check): Entry[] => {
    const fails = (changed: readonly Entry[]) => ['fail', 'warning'].includes(judged(check, changed).outcome);
    const own = entries.filter(({ seq }) => check.scenarios.includes(homes.get(seq) ?? ''));
    const alone = judged(check, own).outcome === 'pass' ? derivedRed(check, own, fails) : undefined;
    return alone ?? derivedRed(check, entries, fails) ?? [...entries];
  };
  return (check) => {
    const before = known.get(check);
    if (before) return before;
    const changed = check.red ? copyOf(entries) : changeOf(check);
    check.red?.(editable(changed));
    const wrong = { entries: changed, verdict: judged(check, changed) };
    known.set(check, wrong);
    return wrong;
  };
}
