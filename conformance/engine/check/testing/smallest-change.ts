/** For tests: what a check says after a small change to the journal of a right party. */
import type { Entry, ExchangeEntry, OutcomeEntry } from '../../journal/entry.ts';
import type { Run } from '../../journal/run-file.ts';
import { JournalView } from '../../journal/view.ts';
import { scenariosByEntry } from '../../report/scenarios.ts';
import type { Check } from '../check.ts';
import { judge } from '../judge.ts';
import type { EditableJournal } from '../red-change.ts';
import type { Verdict } from '../verdict.ts';
import { copyOf } from './copies.ts';
import { derivedRed } from './derived-red.ts';

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

/**
 * A journal that the red change of a check may change.
 * @throws Error when a change is about a step that the journal does not have
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
      // The order of scenarios depends on the machine, most of them contain deliberate mistakes, and the
      // doctor may have asked twice.
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
