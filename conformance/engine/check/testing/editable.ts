/** For tests: a journal that the red change of a check may change. */

import type { Entry, ExchangeEntry, OutcomeEntry, StepResult } from '../../journal/entry.ts';
import { JournalView } from '../../journal/view.ts';
import type { EditableJournal } from '../red-change.ts';

/** @throws Error when a change is about a step that the journal does not have */
export function editable(entries: Entry[]): EditableJournal {
  return {
    entries,
    outcome({ scenario, label }, result: StepResult) {
      const steps = entries.filter((e) => e.kind === 'step' && e.scenario === scenario && e.label === label);
      if (steps.length === 0) throw new Error(`The journal has no step "${label}" in ${scenario}.`);
      for (const { seq } of steps)
        (entries.find((e) => e.kind === 'outcome' && e.step === seq) as OutcomeEntry).result = result;
    },
    exchanges(link, method) {
      const found = entries.filter(
        (e): e is ExchangeEntry =>
          e.kind === 'exchange' &&
          e.link === link &&
          (method === undefined || e.facts.call?.method === method),
      );
      // The order of scenarios depends on the machine, most of them contain deliberate mistakes, and the
      // doctor may have asked twice.
      const view = new JournalView(entries);
      const plain = (e: ExchangeEntry) => {
        const step = view.stepOf(e)?.step;
        return step && step.scenario !== '' && step.defect === undefined && e.fault === undefined ? 0 : 1;
      };
      return found.sort((a, b) => plain(a) - plain(b));
    },
  };
}
