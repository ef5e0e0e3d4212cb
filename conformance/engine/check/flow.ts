/**
 * A flow plays; its checks say what must come of its steps. Several checks may share a flow, because codes,
 * pauses and caps of a real server are scarce. What is inconclusive, not applicable or a pass, is said here.
 */
import { describe } from '../journal/describe-result.ts';
import type { Party } from '../journal/entry.ts';
import type { JournalView, PlayedStep } from '../journal/view.ts';
import type { Check } from './check.ts';
import type { RedChange } from './red-change.ts';
import {
  evidenceOf,
  type Fault,
  isFault,
  type Judgement,
  type LeftOut,
  type Shown,
  type Steps,
  stepsIn,
  Unjudged,
} from './steps.ts';
import type { CheckLevel, Finding } from './verdict.ts';

/** What must come of the steps of one label. */
export type Expectation = {
  /** Names the fault of these steps, which are in order. Undefined: they are as expected. */
  readonly judge: (label: string, played: readonly PlayedStep[]) => Judgement;
  /** What a control did not do, in words; after the name of the step. */
  readonly control?: (played: PlayedStep) => string;
};

/** What names a check, and a flow that has one check alone. */
export type About = Pick<Check, 'id' | 'title' | 'requirements'> & {
  /** MUST unless given. */
  level?: CheckLevel;
};

export type CheckDefinition = About & {
  /** Further flows that it judges. */
  also?: readonly { readonly id: string }[];
  /** Steps without which the others prove nothing; in a list those that must be done. */
  control?: readonly string[] | Readonly<Record<string, Expectation>>;
  /** What must come of each step. */
  expect?: Readonly<Record<string, Expectation>>;
  /** Why the set-up may leave its steps out, where the usual words do not say it. */
  leftOut?: string | ((journal: JournalView) => string);
  /** Finds what needs no control: a proof of a fault, or why there is nothing to judge. */
  settled?: (steps: Steps, journal: JournalView) => Judgement;
  /** Judges what the expectations do not say. Undefined: it is right. */
  judge?: (steps: Steps, journal: JournalView) => Judgement;
  /** What to do about a fault, in one or two sentences. */
  advice: string;
  /** A change to a right party's journal that must fail the check; derived unless given. */
  red?: RedChange;
};

/** What a role says of all its checks. */
export type RoleOfChecks = {
  /** Which party a fault is blamed on. */
  readonly party: Party;
  readonly leftOut: LeftOut;
  /** The end of a control that succeeded. */
  readonly done: Expectation;
  /** True: what `judge` finds says more than the expectations. */
  readonly judgesFirst?: boolean;
};

/** A check of this flow. */
export function bound(definition: CheckDefinition, flow: string, role: RoleOfChecks): Check {
  const { id, title, requirements, level = 'MUST', also = [], red } = definition;
  const others = also.map((each) => each.id).filter((other) => other !== flow);
  return {
    id,
    title,
    level,
    requirements,
    scenarios: [flow, ...others],
    watchable: false,
    judge: (journal) => unlessUnjudged(() => findingOf(definition, flow, journal, role)),
    ...(red && { red }),
  };
}

function unlessUnjudged(judge: () => Finding): Finding {
  try {
    return judge();
  } catch (error) {
    if (error instanceof Unjudged) return error.finding;
    throw error;
  }
}

function findingOf(
  definition: CheckDefinition,
  flow: string,
  journal: JournalView,
  role: RoleOfChecks,
): Finding {
  const asked = new Set<PlayedStep>();
  const steps = stepsIn(journal, flow, leftOutOf(definition, journal, role), (step) => asked.add(step));
  const expected = Object.entries(definition.expect ?? {});
  const judgements = expected.map(([label, expectation]) => expectation.judge(label, steps.all(label)));
  const { advice } = definition;
  const passes = () => [...asked];
  // A success that must not be is proof, whatever became of the controls.
  const settled =
    definition.settled?.(steps, journal) ?? judgements.find((each) => isFault(each) && each.isProof);
  if (settled) return findingFrom(settled, { advice, blame: role.party, passes });
  const isPlayed = () => expected.map(([label]) => steps.of(label));
  // What the set-up cannot play is no matter of the control.
  if (role.leftOut !== 'inconclusive') isPlayed();
  const unmet = unmetControl(definition, steps, role);
  if (unmet) return unmet;
  // A step that is missing says less than a fault that was seen.
  if (!role.judgesFirst || !judgements.some(isFault)) isPlayed();
  const own = () => definition.judge?.(steps, journal);
  const found = role.judgesFirst ? first([own(), ...judgements]) : (first(judgements) ?? own());
  return findingFrom(found, { advice, blame: role.party, passes });
}

/** A judgement as a finding; what `passes` returns shows that it is right. */
export function findingFrom(
  found: Judgement,
  { advice, blame, passes }: { advice: string; blame: Party; passes: () => readonly Shown[] },
): Finding {
  if (!found) return { outcome: 'pass', evidence: evidenceOf(passes()) };
  if (isFault(found)) return failureOf(found, advice, blame);
  if ('notApplicable' in found) return { outcome: 'not applicable', because: found.notApplicable };
  if ('right' in found) return { outcome: 'pass', evidence: evidenceOf(found.right) };
  return {
    outcome: 'inconclusive',
    because: found.unclear,
    evidence: evidenceOf(found.shownBy ?? []),
    blame: found.blame ?? blame,
  };
}

function leftOutOf({ leftOut }: CheckDefinition, journal: JournalView, role: RoleOfChecks): LeftOut {
  if (leftOut === undefined) return role.leftOut;
  return { notApplicable: typeof leftOut === 'string' ? leftOut : leftOut(journal) };
}

/** Faults first. */
const first = (judgements: readonly Judgement[]): Judgement =>
  judgements.find(isFault) ?? judgements.find((each) => each !== undefined);

function unmetControl(
  { control = [] }: CheckDefinition,
  steps: Steps,
  { done, party }: RoleOfChecks,
): Finding | undefined {
  const controls = Array.isArray(control)
    ? control.map((label: string) => [label, done] as const)
    : Object.entries(control as Readonly<Record<string, Expectation>>);
  for (const [label, expectation] of controls) {
    const played = steps.of(label);
    if (!expectation.judge(label, [played])) continue;
    const what =
      expectation.control?.(played) ?? `, which ought to succeed, did not (${describe(played.result)})`;
    const because = `the control "${label}"${what}`;
    return { outcome: 'inconclusive', because, evidence: played.evidence, blame: party };
  }
  return undefined;
}

function failureOf(
  { expected, actual, shownBy, advice, timeSensitive }: Fault,
  usual: string,
  blame: Party,
): Finding {
  const evidence = evidenceOf(shownBy);
  return {
    outcome: 'fail',
    expected,
    actual,
    evidence,
    blame,
    advice: advice ?? usual,
    ...(timeSensitive && { timeSensitive }),
  };
}
