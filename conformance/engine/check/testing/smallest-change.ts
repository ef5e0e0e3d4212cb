/** For tests: makes a small change to the journal of a right party, and tells what a check says after it. */

import { scenariosByEntry } from '../../journal/attribution.ts';
import type { Entry, ExchangeEntry, OutcomeEntry } from '../../journal/entry.ts';
import type { Run } from '../../journal/run-file.ts';
import { JournalView } from '../../journal/view.ts';
import type { Check } from '../check.ts';
import { judge } from '../judge.ts';
import type { EditableJournal } from '../red-change.ts';
import type { Outcome, Verdict } from '../verdict.ts';
import { copyOf } from './copies.ts';
import { derivedRed } from './derived-red.ts';

/** What a check says that found a fault: of the interface, of safety, or a difference from the reference. */
export const foundFault: readonly Outcome[] = ['fail', 'warning', 'differs'];

/** The entries of a run after the change, and what the check says of them. */
export type WrongRun = { entries: Entry[]; verdict: Verdict };

/**
 * Returns a function that judges the run after a small change which ought to make a check fail. The change is
 * the hand-written one of the check (`red`), or else one that is found in the check's scenarios alone, or in
 * the whole run. The result is computed once for each check. When no change is found, the run is unchanged.
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
    const fails = (changed: readonly Entry[]) => foundFault.includes(judged(check, changed).outcome);
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

/**
 * Makes entries editable for the hand-written change of a check.
 * @throws Error when the change is about a step that the journal does not have
 */
function editable(entries: Entry[]): EditableJournal {
  return {
    entries,
    outcome({ scenario, label }, result) {
      const steps = entries.filter((e) => e.kind === 'step' && e.scenario === scenario && e.label === label);
      if (steps.length === 0) throw new Error(`The journal has no step "${label}" in ${scenario}.`);
      for (const { seq } of steps)
        (entries.find((e) => e.kind === 'outcome' && e.step === seq) as OutcomeEntry).result = result;
    },
    exchanges(link, method) {
      // A red change takes the first exchange. It must not be one of the doctor (scenario ''), nor one with a
      // deliberate mistake or an injected fault, and the order of the scenarios depends on the machine.
      const view = new JournalView(entries);
      const isPlain = (exchange: ExchangeEntry) => {
        const step = view.stepOf(exchange)?.step;
        return step && step.scenario !== '' && step.defect === undefined && exchange.fault === undefined;
      };
      const isMeant = (entry: Entry): entry is ExchangeEntry =>
        entry.kind === 'exchange' &&
        entry.link === link &&
        (method === undefined || entry.facts.call?.method === method);
      return entries.filter(isMeant).sort((a, b) => Number(!isPlain(a)) - Number(!isPlain(b)));
    },
  };
}
