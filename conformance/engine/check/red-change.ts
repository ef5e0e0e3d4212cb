/** Changes to a right server's journal that imitate what a wrong server would have left there. */

import type { Entry, ExchangeEntry, Label, Link, ObservationEntry, StepResult } from '../journal/entry.ts';

/** A journal that may be changed in place. */
export type EditableJournal = {
  readonly entries: Entry[];
  /** Changes the result of every step with this label. */
  outcome(label: Label, result: StepResult): void;
  exchanges(link: Link, method?: string): ExchangeEntry[];
};

export type RedChange = (journal: EditableJournal) => void;

export const done = (values: Record<string, string> = {}): StepResult => ({ kind: 'done', values });

/** Lets the step succeed although it must not. */
export const succeeds =
  (label: Label): RedChange =>
  ({ outcome }) =>
    outcome(label, done());

/** Gives all steps of one label another label. */
export const relabelled =
  (from: Label, to: Label): RedChange =>
  ({ entries }) => {
    const own = entries.filter(
      (e) => e.kind === 'step' && e.scenario === from.scenario && e.label === from.label,
    );
    first(own);
    for (const step of own) Object.assign(step, { label: to.label });
  };

/** Changes what the kit observed under this label. */
export const observed =
  ({ scenario, label }: Label, values: ObservationEntry['values']): RedChange =>
  ({ entries }) => {
    const own = entries.filter(
      (entry): entry is ObservationEntry =>
        entry.kind === 'observation' && entry.scenario === scenario && entry.label === label,
    );
    first(own);
    for (const entry of own) Object.assign(entry, { values: { ...entry.values, ...values } });
  };

export function first<T>(found: readonly T[]): T {
  const [one] = found;
  if (one === undefined) throw new Error('The journal has nothing of the kind.');
  return one;
}
