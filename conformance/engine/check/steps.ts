/** How a check finds the steps of a flow, and what it may say of them. */
import type { Label, ObservationEntry, Party } from '../journal/entry.ts';
import type { JournalView, PlayedStep } from '../journal/view.ts';
import type { Finding } from './verdict.ts';

/** How a check finds the steps of one flow. What it finds is the evidence of a pass. */
export type Steps<L extends string = string> = {
  /** The last step of this label. @throws Unjudged when it was not played */
  of(label: L): PlayedStep;
  /** The last step of this label; undefined when it was not played. */
  find(label: L): PlayedStep | undefined;
  /** All steps of this label, in order. */
  all(label: L): readonly PlayedStep[];
  /** All steps of the flow that ended, in order. */
  own(): readonly PlayedStep[];
  /** What the kit noted of a step beside its messages. */
  observed(label: L): ObservationEntry['values'] | undefined;
  /** What it noted of all steps of a label. */
  allObserved(label: L): readonly ObservationEntry['values'][];
  /** The steps of another flow. */
  in(flow: { readonly id: string }): Steps;
};

/** What shows a finding: steps, or entries of the journal. */
export type Shown = PlayedStep | { readonly seq: number };

export type Fault = {
  expected: string;
  actual: string;
  shownBy: readonly Shown[];
  /** What to do about this fault, where the advice of the check does not say it. */
  advice?: string;
  /** Whether a slow machine could have caused it. */
  timeSensitive?: boolean;
  /** True: it is one whatever became of the controls. */
  isProof?: boolean;
};

/** The run does not show whether it is right, and ought to. */
export type Unclear = { unclear: string; shownBy?: readonly Shown[]; blame?: Party };

/** There is nothing to judge, for a good reason. */
export type NotApplicable = { notApplicable: string };

/** It is right, as these show; the steps that the check asked for, unless given. */
export type Right = { right: readonly Shown[] };

/** What a check says; undefined: it is right. */
export type Judgement = Fault | Unclear | NotApplicable | Right | undefined;

export function isFault(judgement: Judgement): judgement is Fault {
  return judgement !== undefined && 'expected' in judgement;
}

/** The `seq` of what shows a finding, in order. */
export function evidenceOf(shown: readonly Shown[]): number[] {
  return shown.flatMap((each) => ('seq' in each ? [each.seq] : each.evidence));
}

/** Thrown when a check asks for a step that was not played. */
export class Unjudged extends Error {
  readonly finding: Finding;
  constructor(finding: Finding) {
    super();
    this.finding = finding;
  }
}

/** What a step that was left out means: the set-up cannot play it, for this reason, or the kit failed. */
export type LeftOut = 'not applicable' | 'inconclusive' | NotApplicable;

/**
 * The steps of a flow.
 * @param asked takes each step that the check looks at
 */
export function stepsIn<L extends string>(
  journal: JournalView,
  id: string,
  leftOut: LeftOut,
  asked: (step: PlayedStep) => void = () => undefined,
): Steps<L> {
  const all = (label: L): readonly PlayedStep[] => {
    const played = journal.steps({ scenario: id, label });
    for (const each of played) asked(each);
    return played;
  };
  const find = (label: L) => {
    const last = journal.steps({ scenario: id, label }).at(-1);
    if (last) asked(last);
    return last;
  };
  return {
    all,
    find,
    of(label) {
      const played = find(label);
      if (!played) throw new Unjudged(notPlayed(journal, { scenario: id, label }, leftOut));
      return played;
    },
    own: () => journal.stepsOf({ id }),
    observed: (label) => journal.observations({ scenario: id, label })[0]?.values,
    allObserved: (label) => journal.observations({ scenario: id, label }).map(({ values }) => values),
    in: (flow) => stepsIn(journal, flow.id, typeof leftOut === 'object' ? 'not applicable' : leftOut, asked),
  };
}

/** Explains why a flow gives nothing to judge: declared absent, never run, or stopped before the step. */
function notPlayed(journal: JournalView, { scenario, label }: Label, leftOut: LeftOut): Finding {
  const ending = journal.ending(scenario);
  if (ending?.absent)
    return {
      outcome: 'not applicable',
      because: `the adapter declares that the server has no ${ending.absent.join(', ')}`,
    };
  if (ending?.notPlayable !== undefined) return { outcome: 'not applicable', because: ending.notPlayable };
  if (!ending)
    return { outcome: 'inconclusive', because: `the scenario ${scenario} was not played`, blame: 'harness' };
  if (ending.stopped) return { outcome: 'inconclusive', ...ending.stopped };
  if (typeof leftOut === 'object') return { outcome: 'not applicable', because: leftOut.notApplicable };
  if (leftOut === 'not applicable')
    return { outcome: 'not applicable', because: `the set-up gave no way to play this part of ${scenario}` };
  return {
    outcome: 'inconclusive',
    because: `the scenario ${scenario} left out the step "${label}"`,
    blame: 'harness',
  };
}
