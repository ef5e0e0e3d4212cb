/** Groups red verdicts by cause: a report tells a fault once, with all checks that fail because of it. */
import type { RequirementId } from '#protocol/requirements.ts';
import type { Verdict } from '../../check/verdict.ts';
import type { Entry, Party } from '../../journal/entry.ts';
import { groupBy } from '../../journal/group-by.ts';
import { describe } from '../../journal/played-steps.ts';
import { JournalView, type PlayedStep } from '../../journal/view.ts';
import type { ReportedCause } from '../schema/schema.ts';
import { isNotGreen, methodIn, type Symptom, Symptoms } from './symptom.ts';

/** Symptoms that show the same difference. The first is the one that shows it best. */
type Group = readonly [Symptom, ...Symptom[]];

export function causesOf(verdicts: readonly Verdict[], entries: readonly Entry[]): ReportedCause[] {
  const red = verdicts.filter(isNotGreen);
  if (red.length === 0) return [];
  const journal = new JournalView(entries);
  const symptoms = new Symptoms(journal);
  return inOrderOfCause(red.map((verdict) => symptoms.of(verdict))).map((group) =>
    causeOfGroup(group, journal),
  );
}

/**
 * Returns the groups of symptoms, one for each cause. Starts with a group for each difference that the
 * symptoms show. Then joins groups: takes the group from which most others follow, with all that follow from
 * it, until none is left. A group of checks that could judge nothing is added last, to a cause that explains
 * it.
 */
function inOrderOfCause(symptoms: readonly Symptom[]): Group[] {
  const groups = byDifference(symptoms);
  // Symptoms of the kind `nothing` explain no others, so they are no causes here.
  const remaining = groups.filter(([{ kind }]) => kind !== 'nothing');
  const joined: Group[] = [];
  while (remaining.length > 0) {
    const sets = remaining.map((cause) => [
      cause,
      ...remaining.filter((group) => group !== cause && follows(group, cause)),
    ]);
    const largest = sets.reduce((best, set) => (sizeOf(set) > sizeOf(best) ? set : best));
    // A fault that explains one of them comes along, and leads them.
    const isNew = (group: Group) => !largest.includes(group) && largest.some((each) => explains(group, each));
    const all = [...largest, ...remaining.filter(isNew)];
    for (const each of all) remaining.splice(remaining.indexOf(each), 1);
    joined.push(inOne(all));
  }
  joined.sort(byWeight);
  for (const group of groups.filter(([{ kind }]) => kind === 'nothing')) {
    const place = joined.findIndex((cause) => follows(group, cause));
    const cause = joined[place];
    if (cause) joined[place] = [...cause, ...group];
    else joined.push(group);
  }
  return joined.sort(byWeight);
}

const sizeOf = (groups: readonly Group[]) => groups.reduce((sum, { length }) => sum + length, 0);

/** One group for all symptoms that show the same difference; the cast says that none is empty. */
function byDifference(symptoms: readonly Symptom[]): Group[] {
  const groups = groupBy(symptoms, ({ kind, key }) => `${kind} ${key}`);
  return [...groups.values()].map((group) => group.sort(byBasicness) as unknown as Group).sort(byWeight);
}

/**
 * Joins groups to one. `groups[0]` is the cause, from which the others follow. The symptom that explains best
 * comes first: one that names another as explained by it, and then for a wrong answer a rule that found the
 * message itself wrong. Failures come before what could not be judged, and the weightier of them first.
 */
function inOne(groups: readonly Group[]): Group {
  const cause: readonly Symptom[] = groups[0] ?? [];
  const isAnswer = groups.some(([{ kind }]) => kind === 'answer');
  const all = groups.flat();
  const isWhy = (symptom: Symptom) => Number(isAnswer && isReason(symptom));
  const isOfCause = (symptom: Symptom) => Number(cause.includes(symptom));
  // Looked up once for each symptom: a sort compares many times.
  const explaining = new Set(all.filter((symptom) => explainsOneOf(symptom, all)));
  return all.sort(
    (a, b) =>
      Number(explaining.has(b)) - Number(explaining.has(a)) ||
      isWhy(b) - isWhy(a) ||
      breadthOf(a) - breadthOf(b) ||
      doubtOf(a) - doubtOf(b) ||
      lightnessOf(a) - lightnessOf(b) ||
      a.width - b.width ||
      // A step without a deliberate mistake is more basic than one with it.
      Number(isDeliberate(a)) - Number(isDeliberate(b)) ||
      isOfCause(b) - isOfCause(a) ||
      byBasicness(a, b),
  ) as unknown as Group;
}

/** Whether a fault of messages says why a call was refused, and not only that it was. */
function isReason({ isOfMessages, verdict: { finding } }: Symptom): boolean {
  return isOfMessages && !(finding.outcome === 'fail' && finding.actual.startsWith('refused with'));
}

/** The most basic first: failures before others, and checks that need few steps before those of many. */
function byBasicness(a: Symptom, b: Symptom): number {
  return (
    breadthOf(a) - breadthOf(b) ||
    doubtOf(a) - doubtOf(b) ||
    Number(b.isOfMessages) - Number(a.isOfMessages) ||
    a.width - b.width ||
    Number(isDeliberate(a)) - Number(isDeliberate(b)) ||
    // Of steps with the same answer the first in the run is the cause.
    (a.kind === 'answer' && b.kind === 'answer' ? 0 : compare(a.place, b.place)) ||
    compare(a.at, b.at)
  );
}

/**
 * Orders groups: first the end of the server under test, then what counts most, then the group with the most
 * checks. A group whose answer passed between two other parties comes last, and before it one of checks that
 * could judge nothing.
 */
function byWeight(a: Group, b: Group): number {
  const [[first], [second]] = [a, b];
  return (
    Number(second.kind === 'ended') - Number(first.kind === 'ended') ||
    Number(isElsewhere(first)) - Number(isElsewhere(second)) ||
    Number(isUndecided(first)) - Number(isUndecided(second)) ||
    lightnessOfGroup(a) - lightnessOfGroup(b) ||
    failuresIn(b) - failuresIn(a) ||
    b.length - a.length ||
    byBasicness(first, second)
  );
}

function isUndecided({ kind, verdict }: Symptom): boolean {
  return kind === 'nothing' || (kind === 'difference' && verdict.finding.outcome === 'inconclusive');
}

/** The name that links such as `client->auth` use for each party. */
const SIDES: Readonly<Partial<Record<Party, string>>> = {
  'auth server': 'auth',
  'EHR server': 'ehr',
  client: 'client',
};

/** Whether the answer passed between the two parties that are not to blame: it follows from others. */
function isElsewhere({ kind, key, verdict: { finding } }: Symptom): boolean {
  const side = SIDES[finding.blame];
  const [, caller, callee] = /^(\w+)->(\w+) /.exec(kind === 'answer' ? key : '') ?? [];
  return side !== undefined && caller !== undefined && side !== caller && side !== callee;
}

/** A check of more requirements is broad: it says little about any one of them. */
const MAX_REQUIREMENTS = 6;

/** 1 for a broad check, 0 for others; so a broad check is rarely told as the cause. */
function breadthOf({ verdict }: Symptom): number {
  return Number(verdict.requirements.length > MAX_REQUIREMENTS);
}

const isDeliberate = ({ step }: Symptom) => step?.step.defect !== undefined;

/** Compares numbers. Two infinite numbers are equal here: their difference would be NaN. */
const compare = (a: number, b: number) => (a === b ? 0 : a - b);

/** When so many checks fail by one answer, its step is the cause. Fewer may have reasons of their own. */
const MIN_NEEDED = 3;

function causeOfGroup(group: Group, journal: JournalView): ReportedCause {
  const [lead] = group;
  const { verdict, step } = lead;
  const { finding } = verdict;
  const checks = group.map((symptom) => symptom.verdict.check);
  if (lead.kind === 'ended') return causeOfEnd(group, journal);
  const isNeeded = lead.kind === 'answer' && !isDeliberate(lead) && step?.result.kind !== 'done';
  if (step && isNeeded && group.length >= MIN_NEEDED) return causeOfStep(group, step);
  if (finding.outcome === 'inconclusive') {
    const where = lead.stopped === undefined ? '' : `the scenario ${lead.stopped} could not go on: `;
    return { cause: `${where}${finding.because}`, blame: finding.blame, checks };
  }
  const { actual, advice, blame } = finding;
  const cause = `"${verdict.title}" does not hold: ${actual}`;
  return { cause, check: verdict.check, advice, blame, checks };
}

/** The cause is a step without a deliberate mistake that did not succeed, and that other checks need. */
function causeOfStep([{ verdict }, ...others]: Group, played: PlayedStep): ReportedCause {
  const { check, finding } = verdict;
  const { step, result } = played;
  const where = step.scenario === check ? '' : ` of ${step.scenario}`;
  return {
    cause: `the step "${step.label}" (${methodIn(played)})${where} ought to succeed and did not: ${describe(result)}`,
    check: finding.outcome === 'fail' ? check : undefined,
    advice: `Find out why this step is not done: nothing is wrong with it, and ${others.length} other checks need one like it.`,
    blame: finding.blame,
    checks: [check, ...others.map((other) => other.verdict.check)],
  };
}

/** Returns 0 for a failure; more for what could not be judged, and for a warning. */
function lightnessOf({ verdict: { outcome } }: Symptom): number {
  return outcome === 'warning' ? 2 : Number(outcome === 'inconclusive');
}

const lightnessOfGroup = (group: Group): number => Math.min(...group.map(lightnessOf));

const failuresIn = (group: Group): number => group.filter(({ verdict }) => verdict.outcome === 'fail').length;

/** 0 where a check found something wrong, 1 where it could not judge, and so shows no cause. */
const doubtOf = ({ verdict }: Symptom): number => Number(verdict.finding.outcome !== 'fail');

/** Tells the end of the program under test as the cause of what failed afterwards. */
function causeOfEnd(group: Group, journal: JournalView): ReportedCause {
  const [{ key, end, verdict }] = group;
  const checks = group.map((symptom) => symptom.verdict.check);
  if (!end) {
    const event = journal.serverEvents.find(({ seq }) => String(seq) === key);
    return { cause: `the server under test ${event?.ended ?? 'could not be reached any more'}`, checks };
  }
  const { step, result } = end;
  const { blame } = verdict.finding;
  const how = result.kind === 'failed' ? describe(result) : 'from then on it shows an empty screen';
  const others = new Set(group.flatMap((each) => each.end?.step.seq ?? [])).size - 1;
  const often = others > 0 ? ` and in ${others} further ${others === 1 ? 'step' : 'steps'}` : '';
  return {
    cause: `the ${blame} ended in the step "${step.label}" (${methodIn(end)}) of ${step.scenario}${often}: ${how}`,
    advice: ADVICE_AT_END,
    blame,
    checks,
  };
}

const ADVICE_AT_END =
  'Find in what it wrote last why it ended: no answer of a server may end it, whatever form the answer has.';

/** Two checks are near when they share this part of the requirements of the one that has more. */
const MIN_SHARE = 0.25;
/** Up to this part of its size, a group with the answer of a cause follows from it. A larger is a cause. */
const MAX_FOLLOWING = 0.25;

function follows(group: Group, cause: Group): boolean {
  const [lead] = group;
  const [first] = cause;
  if (lead.kind === 'ended' || first.kind === 'ended') return false;
  if (lead.kind === 'nothing')
    return cause.some((other) => other.kind === 'answer' || isNothingFor(lead, other));
  if (explains(cause, group)) return true;
  if (group.some((symptom) => cause.some((other) => hasSameAdvice(symptom, other)))) return true;
  if (isOfSameAnswer(group, cause)) return true;
  // The cause is a message that is wrong in itself. The message was refused, and so the step failed.
  if (first.isOfMessages && meets(first.answers, lead.refusals)) return true;
  return cause.some((other) => breaksSameRule(lead, other) || isSameMessage(lead, other));
}

/** Whether a fault of `cause` says by itself that a check of `group` fails because of it. */
function explains(cause: Group, group: Group): boolean {
  return cause.some((symptom) => explainsOneOf(symptom, group));
}

/** Whether this fault says that a check of these symptoms fails because of it. */
function explainsOneOf(symptom: Symptom, others: readonly Symptom[]): boolean {
  const { finding } = symptom.verdict;
  if (finding.outcome !== 'fail') return false;
  const { explains: named = [], saysWhy = false } = finding;
  return others.some(
    (other) =>
      named.includes(other.verdict.check) ||
      (saysWhy && other.kind === 'answer' && symptom.answers.has(other.key)),
  );
}

function hasSameAdvice({ verdict: a }: Symptom, { verdict: b }: Symptom): boolean {
  return (
    a.finding.outcome === 'fail' && b.finding.outcome === 'fail' && a.finding.advice === b.finding.advice
  );
}

/** Whether both have one answer. A rule that found the message wrong explains it, whatever its size. */
function isOfSameAnswer(group: Group, cause: Group): boolean {
  const [lead] = group;
  const [first] = cause;
  if (first.kind !== 'answer') return lead.kind === 'difference' && meets(lead.answers, first.answers);
  if (!group.some(({ answers }) => answers.has(first.key))) return false;
  return lead.isOfMessages || group.length <= cause.length * MAX_FOLLOWING;
}

/** Whether both checks judge nearly the same requirements, at the same kind of step or in the same call. */
function breaksSameRule(a: Symptom, b: Symptom): boolean {
  if (!isNear(a.verdict.requirements, b.verdict.requirements)) return false;
  return meets(a.steps, b.steps) || ((a.isOfMessages || b.isOfMessages) && meets(a.calls, b.calls));
}

/** Whether both checks name the same journal entry, and neither is about an answer. */
function isSameMessage(a: Symptom, b: Symptom): boolean {
  return a.kind === 'difference' && b.kind === 'difference' && meets(a.evidence, b.evidence);
}

/** The name of a method in a text, such as `auth.login`. */
const METHOD = /[a-z_]+\.[a-z_]+/g;

/**
 * Whether the check could judge nothing because of a fault that the other check found: nearly the same
 * requirements, or a method that it misses and that the other one expects.
 */
function isNothingFor({ verdict }: Symptom, { verdict: other }: Symptom): boolean {
  if (verdict.finding.outcome !== 'inconclusive' || other.finding.outcome !== 'fail') return false;
  if (isNear(verdict.requirements, other.requirements)) return true;
  const { expected } = other.finding;
  return (verdict.finding.because.match(METHOD) ?? []).some((method) => expected.includes(method));
}

function isNear(a: readonly RequirementId[], b: readonly RequirementId[]): boolean {
  const shared = a.filter((requirement) => b.includes(requirement)).length;
  return shared > 0 && shared / Math.max(a.length, b.length) >= MIN_SHARE;
}

function meets<T>(a: ReadonlySet<T>, b: ReadonlySet<T>): boolean {
  for (const each of a) if (b.has(each)) return true;
  return false;
}
