/** For tests: what a check says after the smallest change to the journal of a right party. */

import type { Check } from '../../../../engine/check/check.ts';
import { judge } from '../../../../engine/check/judge.ts';
import type { Verdict } from '../../../../engine/check/verdict.ts';
import type { Run } from '../../../../engine/journal/run-file.ts';
import { copyOf } from './copies.ts';
import { editable } from './editable.ts';

/**
 * Returns a function that judges a copy of the run after the smallest change of a check, once for each check.
 * The copy is of all scenarios: some checks weigh one entry against many, and a part would be judged sooner.
 */
export function smallestChangeTo({ meta, entries }: Run): (check: Check) => Verdict {
  const verdicts = new Map<Check, Verdict>();
  return (check) => {
    const known = verdicts.get(check);
    if (known) return known;
    const changed = copyOf(entries);
    check.red(editable(changed));
    const [verdict] = judge({ meta, entries: changed }, { checks: [check] });
    if (!verdict) throw new Error(`${check.id} is not judged in a run of this kind.`);
    verdicts.set(check, verdict);
    return verdict;
  };
}
