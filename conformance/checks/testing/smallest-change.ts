/** For tests: what a check says after the smallest change to the journal of a right party. */
import { attributionOf } from '../../journal/attribution.ts';
import type { Entry } from '../../journal/entry.ts';
import type { Run } from '../../journal/run-file.ts';
import { judge } from '../../judge.ts';
import type { Verdict } from '../../verdict.ts';
import type { Check } from '../check.ts';
import { copyOf } from './copies.ts';
import { editable } from './editable.ts';

/** The scenario of each entry by its `seq`; undefined for an entry of none. */
export function scenariosOf(entries: readonly Entry[]): ReadonlyMap<number, string | undefined> {
  const attributed = attributionOf(entries);
  const scenarioOf = (entry: Entry) =>
    'scenario' in entry && entry.scenario !== undefined ? entry.scenario : attributed.get(entry.seq)?.scenario;
  return new Map(entries.map((entry) => [entry.seq, scenarioOf(entry)]));
}

/**
 * Returns a function that applies the smallest change of a check to a copy of the run, and judges it. The
 * copy has only what the check is about: the entries of its scenarios, and those of none.
 */
export function smallestChangeTo({ meta, entries }: Run): (check: Check) => Verdict {
  const scenarios = scenariosOf(entries);
  return (check) => {
    const isOwn = ({ seq }: Entry) => {
      const scenario = scenarios.get(seq);
      return scenario === undefined || check.scenarios.includes(scenario);
    };
    const changed = copyOf(entries.filter(isOwn));
    check.red(editable(changed));
    const [verdict] = judge({ meta, entries: changed }, { checks: [check] });
    if (!verdict) throw new Error(`${check.id} is not judged in a run of this kind.`);
    return verdict;
  };
}
