/**
 * Makes the checks of a flow whose steps say themselves what must come of them. The journal keeps these
 * expectations with each step, so that a check judges by the journal alone.
 */
import type { Expects, Party } from '../journal/entry.ts';
import { groupBy } from '../journal/group-by.ts';
import { describe } from '../journal/played-steps.ts';
import type { JournalView, PlayedStep } from '../journal/view.ts';
import type { Check } from './check.ts';
import {
  findingFrom,
  isFault,
  type Judgement,
  type LeftOut,
  leftOutFinding,
  type Steps,
  stepsIn,
  Unjudged,
  unplayed,
} from './steps.ts';
import type { Finding } from './verdict.ts';

type Judge = (steps: Steps, journal: JournalView) => Judgement;

/** What the author of a flow writes about one of its checks. */
export type FlowCheck = Pick<Check, 'requirements' | 'title' | 'explains'> & {
  advice: string;
  /** Judges what no single step says. Undefined: the party is right. */
  judge?: Judge | undefined;
  /** Judges first, before the controls: finds a proof of a fault, or why there is nothing to judge. */
  settled?: Judge | undefined;
  /** Further flows whose entries it judges. */
  also?: readonly { readonly id: string }[] | undefined;
  /** How many labels of its steps must have been played; 1 unless given, or none where there is `judge`. */
  labels?: number | undefined;
  /** Why its steps may be missing from a run. Undefined: the set-up gives no way to play them. */
  leftOut?: string | ((journal: JournalView) => string) | undefined;
};

/** The key is the id of the check. */
export type FlowChecks<C extends FlowCheck = FlowCheck> = Readonly<Record<string, C>>;

/** What a flow judges: a check with the id of the flow, whose members are those of the flow, and further ones. */
export type Judged<C extends FlowCheck = FlowCheck> =
  | (C & { checks?: FlowChecks<C> })
  | { title?: string; advice?: undefined; checks: FlowChecks<C> };

export type RoleOfFlows = {
  readonly party: Party;
  /** Judges the steps of one label, which must all have ended as `expects` says. Undefined: they have. */
  readonly unmet: (played: readonly PlayedStep[], expects: Expects) => Judgement;
  /** What a control that failed did, after `the control "label"` in a report. Unless given: it did not succeed. */
  readonly failedControl?: (played: PlayedStep, expects: Expects) => string;
  /** True: what `judge` finds is reported rather than what is wrong with a step. */
  readonly judgesFirst?: boolean;
  /** True: a flow may stop, or leave steps out, and a check whose steps were played before is judged. */
  readonly judgesParts?: boolean;
};

export function checksIn<C extends FlowCheck>(flow: string, judged: Judged<C>): FlowChecks<C> {
  return judged.advice === undefined ? (judged.checks ?? {}) : { [flow]: judged, ...judged.checks };
}

export function checksOf(flow: string, checks: FlowChecks, role: RoleOfFlows): Check[] {
  return Object.entries(checks).map(([id, definition]) => {
    const { requirements, title, advice, explains, also = [] } = definition;
    return {
      id,
      title,
      requirements,
      scenarios: [flow, ...also.map((each) => each.id).filter((other) => other !== flow)],
      watchable: false,
      advice,
      judge: (journal) => unlessUnjudged(() => findingOf({ ...definition, id, flow }, journal, role)),
      ...(explains && { explains }),
    };
  });
}

type Definition = FlowCheck & { id: string; flow: string };

/**
 * Returns what a report says first:
 * 1. what `settled` finds, or a success that proves the fault;
 * 2. steps that were not played;
 * 3. a control that failed;
 * 4. a step that did not end as expected;
 * 5. what `judge` finds; before 4 in a role that judges first.
 */
function findingOf(check: Definition, journal: JournalView, role: RoleOfFlows): Finding {
  const { flow, advice, explains } = check;
  const { party: blame, judgesFirst = false } = role;
  const expected = expectedIn(journal, check);
  const judged = expected.filter(({ expects }) => !expects.isControl);
  const seen = new Set(expected.flatMap(({ played }) => played));
  const usual = { advice, explains, blame, passes: () => [...seen] };
  const steps = stepsIn(journal, flow, leftOutOf(check, journal, role), (step) => seen.add(step));
  const unmetSteps = unmetIn(judged, role).map(({ found }) => found);
  // A success that must not happen proves the fault, however the controls ended.
  const proof = unmetSteps.find((found) => isFault(found) && found.isProof);
  const settled = check.settled?.(steps, journal) ?? proof;
  if (settled) return findingFrom(settled, usual);
  const missing = missingIn(check, judged, journal, role);
  if (missing && role.judgesParts) return missing;
  const [failedControl] = unmetIn(controlsOf(check, expected, role), role);
  if (failedControl) {
    const { last, expects } = failedControl;
    const did = (role.failedControl ?? notSucceeded)(last, expects);
    const because = `the control "${last.step.label}"${did}`;
    return { outcome: 'inconclusive', because, evidence: last.evidence, blame };
  }
  const firstUnmet = unmetSteps.find(isFault) ?? unmetSteps[0];
  // In a role that judges first, a fault that was seen counts more than a missing step.
  if (missing) return firstUnmet && judgesFirst ? findingFrom(firstUnmet, usual) : missing;
  if (firstUnmet && !judgesFirst) return findingFrom(firstUnmet, usual);
  const judgement = check.judge?.(steps, journal);
  return findingFrom(isFault(judgement) ? judgement : (firstUnmet ?? judgement), usual);
}

const notSucceeded = ({ result }: PlayedStep) => `, which ought to succeed, did not (${describe(result)})`;

/** The steps of one label and one expectation. */
type ExpectedSteps = { played: readonly PlayedStep[]; expects: Expects };

function expectedIn(journal: JournalView, { id, flow }: Definition): ExpectedSteps[] {
  const own = journal.stepsOf({ id: flow }).flatMap((played) => {
    const mine = played.step.expects?.filter(({ check = id }) => check === id) ?? [];
    return mine.map((expects) => ({ played, expects }));
  });
  const groups = groupBy(own, ({ played, expects }) => JSON.stringify([played.step.label, expects]));
  return [...groups.values()].map((group) => ({
    played: group.map(({ played }) => played),
    expects: group[0]?.expects as Expects,
  }));
}

/** Selects controls of the check. In a role that judges parts, one of the whole flow counts for later steps. */
function controlsOf({ id }: Definition, expected: readonly ExpectedSteps[], { judgesParts }: RoleOfFlows) {
  const lastOf = ({ played }: ExpectedSteps) => played.at(-1)?.step.seq ?? 0;
  const last = Math.max(0, ...expected.filter(({ expects }) => !expects.isControl).map(lastOf));
  const controls = expected.filter(({ expects }) => expects.isControl);
  return controls.filter((each) => !judgesParts || each.expects.check === id || lastOf(each) < last);
}

function unmetIn(expected: readonly ExpectedSteps[], { unmet }: RoleOfFlows) {
  return expected.flatMap(({ played, expects }) => {
    const found = unmet(played, expects);
    return found ? [{ found, expects, last: played.at(-1) as PlayedStep }] : [];
  });
}

const leftOutOf = ({ leftOut }: Definition, journal: JournalView, { judgesParts }: RoleOfFlows): LeftOut => {
  if (leftOut === undefined) return judgesParts ? 'not applicable' : 'inconclusive';
  return { notApplicable: typeof leftOut === 'string' ? leftOut : leftOut(journal) };
};

/** Returns the finding of a check whose steps were not all played; undefined where they were. */
function missingIn(
  check: Definition,
  judged: readonly ExpectedSteps[],
  journal: JournalView,
  role: RoleOfFlows,
): Finding | undefined {
  const { flow, judge, labels = judge ? 0 : 1 } = check;
  const early = role.judgesParts ? undefined : unplayed(journal, flow);
  if (early) return early;
  const played = new Set(judged.map(({ played: [first] }) => first?.step.label)).size;
  if (played >= labels) return undefined;
  return leftOutFinding(journal, flow, leftOutOf(check, journal, role));
}

function unlessUnjudged(judge: () => Finding): Finding {
  try {
    return judge();
  } catch (error) {
    if (error instanceof Unjudged) return error.finding;
    throw error;
  }
}
