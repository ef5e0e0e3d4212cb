/**
 * For tests: finds a small change to a right party's journal that makes a check fail. It is the derived red
 * change, for checks without a hand-written one (see `red` of a check).
 */
import type { Entry, ExchangeEntry, Label, Link, ObservationEntry } from '../../journal/entry.ts';
import { JournalView, type PlayedStep } from '../../journal/view.ts';
import type { Check } from '../check.ts';
import { type CallKind, calls, dies, noted, unsaved, WHOLE } from './changes.ts';
import { callsIn, otherSteps, relabelled, savedIn } from './label-changes.ts';

/** What a check looked at while it judged a journal. */
type LookedAt = {
  /** Steps by their scenario and label, as one text. */
  labels: Map<string, Label>;
  /** Kinds of calls by their link and method, as one text. */
  calls: Map<string, CallKind>;
  /** Labels under which the check looks for observations of any scenario. */
  notes: Set<string>;
};

/** A journal that notes which steps, calls and observations a check asks for. */
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

/**
 * Most checks look at fewer labels than this. For checks with more, exchanging each pair of labels would take
 * too long and is left out, and changes of the journal are tried before changes of single steps.
 */
const MAX_PAIRED = 8;

/** Tells whether the check fails on these entries. */
export type Fails = (entries: readonly Entry[]) => boolean;

/**
 * Tries changes of the steps that the check looks at, of messages, and of the whole journal, until one makes
 * the check fail. Likely and cheap changes come first.
 * @returns the changed entries; undefined when the check does not notice any of the changes
 */
export function derivedRed(check: Check, entries: readonly Entry[], fails: Fails): Entry[] | undefined {
  const view = new NotingView(entries);
  check.judge(view);
  const labels = [...view.lookedAt.labels.values()];
  const ofSteps = labels.flatMap(otherSteps);
  const ofJournal = [
    ...[...view.lookedAt.notes].map(noted),
    ...[...view.lookedAt.calls.values()].flatMap(calls),
    ...WHOLE,
    ...labels.map(savedIn),
  ];
  const inOrder =
    labels.length > MAX_PAIRED
      ? [...ofJournal, ...ofSteps]
      : [...ofSteps, ...ofJournal, ...labels.flatMap((from) => labels.map((to) => relabelled(from, to)))];
  for (const change of [...inOrder, unsaved, dies, ...labels.flatMap(callsIn)]) {
    const changed = [...entries];
    change(changed);
    if (fails(changed)) return changed;
  }
  return undefined;
}
