/**
 * Makes the checks of a flow. A flow plays steps with the party under test, and its checks say how these
 * steps must end. Several checks may share a flow, because one-time codes, pauses and request limits of a
 * real server are scarce. This file decides when a check fails, passes, is inconclusive or not applicable.
 */
import { describe } from '../journal/describe-result.ts';
import type { Party } from '../journal/entry.ts';
import type { JournalView, PlayedStep } from '../journal/view.ts';
import type { Check } from './check.ts';
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
import type { Finding } from './verdict.ts';

/** How the steps of one label must end. The label is the name that the flow gives to a step. */
export type Expectation = {
  /** Names the fault of these steps, which are in the order of the run. Undefined: they are as expected. */
  readonly judge: (label: string, played: readonly PlayedStep[]) => Judgement;
  /**
   * Used when the step is a control and did not end as expected: says what it failed to do. The text follows
   * `the control "label"` in a report.
   */
  readonly control?: (played: PlayedStep) => string;
};

export type About = Pick<Check, 'id' | 'title' | 'requirements'>;

/** What the author of a flow writes about one of its checks. {@link bound} makes a check of it. */
export type CheckDefinition = About & {
  also?: readonly { readonly id: string }[];
  /**
   * Labels of the positive controls: when one did not end as expected, the check is inconclusive. In a list
   * each step must succeed; a record gives each label its own expectation.
   */
  control?: readonly string[] | Readonly<Record<string, Expectation>>;
  expect?: Readonly<Record<string, Expectation>>;
  /** Why steps of this check may be missing from a run. Undefined: the words of the role say it. */
  leftOut?: string | ((journal: JournalView) => string);
  /** Judges first, before the controls: finds a proof of a fault, or why there is nothing to judge. */
  settled?: (steps: Steps, journal: JournalView) => Judgement;
  /** Judges what the expectations cannot say. Returns undefined when the party is right. */
  judge?: (steps: Steps, journal: JournalView) => Judgement;
  advice: string;
  explains?: Check['explains'];
};

export type RoleOfChecks = {
  readonly party: Party;
  /** How a check is judged when a step was not played. */
  readonly leftOut: LeftOut;
  readonly done: Expectation;
  /** True: what `judge` finds is reported rather than what the expectations find. */
  readonly judgesFirst?: boolean;
};

export function bound(definition: CheckDefinition, flow: string, role: RoleOfChecks): Check {
  const { id, title, requirements, also = [] } = definition;
  const others = also.map((each) => each.id).filter((other) => other !== flow);
  const expected = Object.entries(definition.expect ?? {});
  const controls = controlsOf(definition, role);
  return {
    id,
    title,
    requirements,
    scenarios: [flow, ...others],
    watchable: false,
    advice: definition.advice,
    steps: [...controls, ...expected].map(([label]) => label),
    judge: (journal) => unlessUnjudged(() => findingOf(definition, flow, journal, role)),
    ...(definition.explains && { explains: definition.explains }),
  };
}

export function unlessUnjudged(judge: () => Finding): Finding {
  try {
    return judge();
  } catch (error) {
    if (error instanceof Unjudged) return error.finding;
    throw error;
  }
}

/** The order of these steps decides what a report says first: proof, controls, expectations, `judge`. */
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
  const { advice, explains } = definition;
  const about = { advice, explains, blame: role.party, passes: () => [...asked] };
  // A success that must not happen proves the fault, however the controls ended.
  const settled =
    definition.settled?.(steps, journal) ?? judgements.find((each) => isFault(each) && each.isProof);
  if (settled) return findingFrom(settled, about);
  // Throws `Unjudged` when an expected step was not played.
  const requirePlayed = () => expected.forEach(([label]) => void steps.of(label));
  // A step that the set-up cannot play makes the check not applicable, so it comes before the controls.
  if (role.leftOut !== 'inconclusive') requirePlayed();
  const unmet = unmetControl(definition, steps, role);
  if (unmet) return unmet;
  // A fault that was seen counts more than a step that is missing.
  if (!role.judgesFirst || !judgements.some(isFault)) requirePlayed();
  const own = () => definition.judge?.(steps, journal);
  const found = role.judgesFirst ? first([own(), ...judgements]) : (first(judgements) ?? own());
  return findingFrom(found, about);
}

type Usual = Pick<CheckDefinition, 'advice' | 'explains'> & { blame: Party; passes: () => readonly Shown[] };

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

function leftOutOf({ leftOut }: CheckDefinition, journal: JournalView, role: RoleOfChecks): LeftOut {
  if (leftOut === undefined) return role.leftOut;
  return { notApplicable: typeof leftOut === 'string' ? leftOut : leftOut(journal) };
}

const first = (judgements: readonly Judgement[]): Judgement =>
  judgements.find(isFault) ?? judgements.find((each) => each !== undefined);

function unmetControl(definition: CheckDefinition, steps: Steps, role: RoleOfChecks): Finding | undefined {
  for (const [label, expectation] of controlsOf(definition, role)) {
    const played = steps.of(label);
    if (!expectation.judge(label, [played])) continue;
    const what =
      expectation.control?.(played) ?? `, which ought to succeed, did not (${describe(played.result)})`;
    const because = `the control "${label}"${what}`;
    return { outcome: 'inconclusive', because, evidence: played.evidence, blame: role.party };
  }
  return undefined;
}

function controlsOf(
  { control = [] }: CheckDefinition,
  { done }: RoleOfChecks,
): (readonly [string, Expectation])[] {
  if (Array.isArray(control)) return control.map((label: string) => [label, done] as const);
  return Object.entries(control as Readonly<Record<string, Expectation>>);
}

function failureOf(
  { expected, actual, shownBy, advice, timeSensitive, saysWhy, ...fault }: Fault,
  usual: Usual,
): Finding {
  const explains = fault.explains ?? usual.explains;
  const evidence = evidenceOf(shownBy);
  return {
    outcome: 'fail',
    expected,
    actual,
    evidence,
    blame: usual.blame,
    advice: advice ?? usual.advice,
    ...(timeSensitive && { timeSensitive }),
    ...(explains && { explains }),
    ...(saysWhy && { saysWhy }),
  };
}
