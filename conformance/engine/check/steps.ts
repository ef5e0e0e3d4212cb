/** Gives a check the steps of its flow, and makes a finding of what the check says of them. */
import type { ObservationEntry, Party } from '../journal/entry.ts';
import type { JournalView, PlayedStep } from '../journal/view.ts';
import type { Check } from './check.ts';
import type { Finding } from './verdict.ts';

/** Finds the steps of one flow by label. The steps that a check looks at are the evidence of its pass. */
export type Steps = {
  /** The last step of this label. @throws Unjudged when it was not played */
  of(label: string): PlayedStep;
  find(label: string): PlayedStep | undefined;
  all(label: string): readonly PlayedStep[];
  own(): readonly PlayedStep[];
  /** The first values that the kit measured or counted under this label, such as the number of SMS. */
  observed(label: string): ObservationEntry['values'] | undefined;
  allObserved(label: string): readonly ObservationEntry['values'][];
  /** The steps of another flow, which `also` of the check names. */
  in(flow: { readonly id: string }): Steps;
};

export type Shown = PlayedStep | { readonly seq: number };

export type Fault = {
  expected: string;
  actual: string;
  shownBy: readonly Shown[];
  advice?: string;
  timeSensitive?: boolean;
  /** Ids of checks whose faults follow from this one: the report tells this one as their cause. */
  explains?: readonly string[];
  /** True: it says why its steps were refused, and so explains all that were refused alike. False: it only says that. */
  saysWhy?: boolean;
  /** True: it is a fault however the controls ended. */
  isProof?: boolean;
};

/** The run does not show whether the party is right, although it should. */
export type Unclear = { unclear: string; shownBy?: readonly Shown[]; blame?: Party };

/** The text says why there is nothing to judge, for a reason that is no fault. */
export type NotApplicable = { notApplicable: string };

export type Right = { right: readonly Shown[] };

/** What a check says. Undefined: the party is right, as the steps that the check looked at show. */
export type Judgement = Fault | Unclear | NotApplicable | Right | undefined;

/** What a finding takes where the judgement says nothing else. `passes` shows that the party is right. */
type Usual = Pick<Check, 'explains'> & { advice: string; blame: Party; passes: () => readonly Shown[] };

/**
 * What it means when a flow ended without playing a step. `not applicable`, or a reason: the set-up cannot
 * play the step. `inconclusive`: the kit failed to play it.
 */
export type LeftOut = 'not applicable' | 'inconclusive' | NotApplicable;

export function isFault(judgement: Judgement): judgement is Fault {
  return judgement !== undefined && 'expected' in judgement;
}

function evidenceOf(shown: readonly Shown[]): number[] {
  return shown.flatMap((each) => ('seq' in each ? [each.seq] : each.evidence));
}

export function findingFrom(found: Judgement, usual: Usual): Finding {
  const { blame, passes } = usual;
  if (!found) return { outcome: 'pass', evidence: evidenceOf(passes()) };
  if (isFault(found)) return failureOf(found, usual);
  if ('notApplicable' in found) return { outcome: 'not applicable', because: found.notApplicable };
  if ('right' in found) return { outcome: 'pass', evidence: evidenceOf(found.right) };
  return {
    outcome: 'inconclusive',
    because: found.unclear,
    evidence: evidenceOf(found.shownBy ?? []),
    blame: found.blame ?? blame,
  };
}

export class Unjudged extends Error {
  readonly finding: Finding;
  constructor(finding: Finding) {
    super();
    this.finding = finding;
  }
}

/** Returns the steps of the flow with this id. Calls `onLook` with each step that the check looks at. */
export function stepsIn(
  journal: JournalView,
  id: string,
  leftOut: LeftOut,
  onLook: (step: PlayedStep) => void,
): Steps {
  const all = (label: string): readonly PlayedStep[] => {
    const played = journal.steps({ scenario: id, label });
    for (const each of played) onLook(each);
    return played;
  };
  const find = (label: string) => {
    const last = journal.steps({ scenario: id, label }).at(-1);
    if (last) onLook(last);
    return last;
  };
  return {
    all,
    find,
    of(label) {
      const played = find(label);
      if (!played) throw new Unjudged(leftOutFinding(journal, id, leftOut, `the step "${label}"`));
      return played;
    },
    own: () => journal.stepsOf({ id }),
    observed: (label) => journal.observations({ scenario: id, label })[0]?.values,
    allObserved: (label) => journal.observations({ scenario: id, label }).map(({ values }) => values),
    in: (flow) => stepsIn(journal, flow.id, typeof leftOut === 'object' ? 'not applicable' : leftOut, onLook),
  };
}

/** What a check of this scenario finds where it was not played to its end. Undefined: it was. */
export function unplayed(journal: JournalView, scenario: string): Finding | undefined {
  const ending = journal.ending(scenario);
  if (ending?.absent)
    return {
      outcome: 'not applicable',
      because: `the adapter declares that the server has no ${ending.absent.join(', ')}`,
    };
  if (ending?.notPlayable !== undefined) return { outcome: 'not applicable', because: ending.notPlayable };
  if (!ending)
    return { outcome: 'inconclusive', because: `the scenario ${scenario} was not played`, blame: 'harness' };
  return ending.stopped && { outcome: 'inconclusive', ...ending.stopped };
}

/** What a check finds whose steps were not played: in a flow that was not played, or that left `what` out. */
export function leftOutFinding(
  journal: JournalView,
  scenario: string,
  leftOut: LeftOut,
  what = 'what this check judges',
): Finding {
  const finding = unplayed(journal, scenario);
  if (finding) return finding;
  if (typeof leftOut === 'object') return { outcome: 'not applicable', because: leftOut.notApplicable };
  if (leftOut === 'not applicable')
    return { outcome: 'not applicable', because: `the set-up gave no way to play this part of ${scenario}` };
  return { outcome: 'inconclusive', because: `the scenario ${scenario} left out ${what}`, blame: 'harness' };
}

function failureOf(fault: Fault, { blame, ...usual }: Usual): Finding {
  const { expected, actual, shownBy, timeSensitive, saysWhy } = fault;
  const { advice = usual.advice, explains = usual.explains } = fault;
  return {
    ...{ outcome: 'fail', expected, actual, evidence: evidenceOf(shownBy), blame, advice },
    ...(timeSensitive && { timeSensitive }),
    ...(explains && { explains }),
    ...(saysWhy !== undefined && { saysWhy }),
  };
}
