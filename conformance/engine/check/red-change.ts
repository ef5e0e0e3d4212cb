/**
 * Red changes: a red change edits the journal of a right server so that it looks as if the server were wrong.
 * Tests use it to prove that a check can fail.
 */

import type { Entry, ExchangeEntry, Label, Link, ObservationEntry, StepResult } from '../journal/entry.ts';

/** A journal that may be changed in place. */
export type EditableJournal = {
  readonly entries: Entry[];
  /** Changes the result of every step with this label. Throws when there is none. */
  outcome(label: Label, result: StepResult): void;
  /** The HTTP exchanges on a link, those without a deliberate mistake first; of all methods unless given. */
  exchanges(link: Link, method?: string): ExchangeEntry[];
};

/** Changes the journal in place. */
export type RedChange = (journal: EditableJournal) => void;

/** The result of a step that succeeded, with the values that it yielded. */
export const done = (values: Record<string, string> = {}): StepResult => ({ kind: 'done', values });

/** Makes the steps of this label succeed although they must not. */
export const succeeds =
  (label: Label): RedChange =>
  ({ outcome }) =>
    outcome(label, done());

/** Gives all steps of one label another label. */
export const relabelled =
  (from: Label, to: Label): RedChange =>
  ({ entries }) => {
    const matching = entries.filter(
      (e) => e.kind === 'step' && e.scenario === from.scenario && e.label === from.label,
    );
    first(matching);
    for (const step of matching) Object.assign(step, { label: to.label });
  };

/** Replaces some of the values that the kit observed under this label. Other values stay. */
export const observed =
  ({ scenario, label }: Label, values: ObservationEntry['values']): RedChange =>
  ({ entries }) => {
    const matching = entries.filter(
      (entry): entry is ObservationEntry =>
        entry.kind === 'observation' && entry.scenario === scenario && entry.label === label,
    );
    first(matching);
    for (const entry of matching) Object.assign(entry, { values: { ...entry.values, ...values } });
  };

/** Returns the first entry. Throws when there is none: a red change that changes nothing proves nothing. */
export function first<T>(found: readonly T[]): T {
  const [entry] = found;
  if (entry === undefined) throw new Error('The journal has nothing of the kind.');
  return entry;
}
