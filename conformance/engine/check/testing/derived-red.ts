/** For tests: finds a small change to a right party's journal that makes a check fail. */
import type { Entry, ExchangeEntry, Label, Link, ObservationEntry } from '../../journal/entry.ts';
import { JournalView, type PlayedStep } from '../../journal/view.ts';
import type { Check } from '../check.ts';
import { type CallKind, calls, dies, noted, relabelled, savedIn, unsaved, WHOLE } from './changes.ts';
import { copyOf } from './copies.ts';
import { answers, callsIn, endings, OTHERWISE, observing } from './label-changes.ts';

/** What a check looked at while it judged a journal. */
type LookedAt = {
  labels: Map<string, Label>;
  calls: Map<string, CallKind>;
  /** Labels under which it looks for observations of any scenario. */
  notes: Set<string>;
};

/** A journal that notes which steps and messages it is asked for. */
class NotingView extends JournalView {
  readonly lookedAt: LookedAt = { labels: new Map(), calls: new Map(), notes: new Set() };
  override steps(label: Label): PlayedStep[] {
    this.lookedAt.labels.set(`${label.scenario} ${label.label}`, label);
    return super.steps(label);
  }
  override stepsOf(scenario: { id: string }): PlayedStep[] {
    const steps = super.stepsOf(scenario);
    for (const { step } of steps) this.lookedAt.labels.set(`${step.scenario} ${step.label}`, step);
    return steps;
  }
  override allSteps(name?: PlayedStep['step']['step']): PlayedStep[] {
    const steps = super.allSteps(name);
    for (const { link, facts } of steps.flatMap(({ exchanges }) => exchanges)) {
      const method = facts.call?.method;
      if (method !== undefined) this.lookedAt.calls.set(`${link} ${method}`, { link, method });
    }
    return steps;
  }
  override observationsOf(label: string): ObservationEntry[] {
    this.lookedAt.notes.add(label);
    return super.observationsOf(label);
  }
  override exchanges(link: Link, method?: string): ExchangeEntry[] {
    this.lookedAt.calls.set(`${link} ${method}`, { link, method });
    return super.exchanges(link, method);
  }
}

/** More labels than most checks look at. Pairs of more would take long, and so would the steps of each. */
const MAX_PAIRED = 8;

/** Whether a check fails. */
export type Fails = (entries: readonly Entry[]) => boolean;

/**
 * Finds a change after which the check fails: of a step it looks at, of a message, or of the whole journal.
 * @returns the changed entries; undefined when none of the changes is seen by the check
 */
export function derivedRed(check: Check, entries: readonly Entry[], fails: Fails): Entry[] | undefined {
  const view = new NotingView(entries);
  check.judge(view);
  const labels = [...view.lookedAt.labels.values()];
  const ofSteps = labels.flatMap((label) => [
    ...endings(label),
    ...OTHERWISE.map((other) => observing(other, label)),
    ...answers(label),
  ]);
  const ofJournal = [
    ...[...view.lookedAt.notes].map(noted),
    ...[...view.lookedAt.calls.values()].flatMap(calls),
    ...WHOLE,
    ...labels.map(savedIn),
  ];
  const isPaired = labels.length <= MAX_PAIRED;
  const small = [
    ...(isPaired ? [...ofSteps, ...ofJournal] : [...ofJournal, ...ofSteps]),
    ...(isPaired ? labels.flatMap((from) => labels.map((to) => relabelled(from, to))) : []),
    unsaved,
    dies,
    ...labels.flatMap(callsIn),
  ];
  for (const change of small) {
    const changed = copyOf(entries);
    change(changed);
    if (fails(changed)) return changed;
  }
  return undefined;
}
