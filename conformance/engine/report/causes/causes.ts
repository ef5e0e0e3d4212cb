/** Groups red verdicts by cause: a report tells a fault once, with all checks that fail because of it. */
import type { RequirementId } from '#protocol/requirements.ts';
import type { Verdict } from '../../check/verdict.ts';
import type { Entry, Party } from '../../journal/entry.ts';
import { groupBy } from '../../journal/group-by.ts';
import { describe } from '../../journal/played-steps.ts';
import { JournalView, type PlayedStep } from '../../journal/view.ts';
import type { ReportedCause } from '../schema/schema.ts';
import { isNotGreen, methodIn, type Symptom, Symptoms } from './symptom.ts';

/** A cause in words. */
type Told = Omit<ReportedCause, 'checks'>;

/** Symptoms that show the same difference. The first is the one that shows it best. */
type Group = readonly [Symptom, ...Symptom[]];

export function causesOf(verdicts: readonly Verdict[], entries: readonly Entry[]): ReportedCause[] {
  const red = verdicts.filter(isNotGreen);
  if (red.length === 0) return [];
  const journal = new JournalView(entries);
  const symptoms = new Symptoms(journal);
  return inOrderOfCause(red.map((verdict) => symptoms.of(verdict))).map((group) => ({
    ...toldAsCause(group, journal),
    checks: group.map(({ verdict }) => verdict.check),
  }));
}

/**
 * One group for each cause. Of the groups by difference it takes the one from which most others follow, with
 * these, until none is left. Checks that could judge nothing come last, to a cause that explains them.
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
 * Joins groups to one, of which the first is the cause. The symptom that explains best comes first: one that
 * names another, then a rule that found the message itself wrong, then failures, and the weightier of them.
 */
function inOne(groups: readonly Group[]): Group {
  const cause: readonly Symptom[] = groups[0] ?? [];
  const isAnswer = groups.some(([{ kind }]) => kind === 'answer');
  const all = groups.flat();
  // Looked up once for each symptom: a sort compares many times.
  const explaining = new Set(all.filter((symptom) => explainsOneOf(symptom, all)));
  const byExplanation = ascending<Symptom>(
    (symptom) => !explaining.has(symptom),
    (symptom) => !(isAnswer && isReason(symptom)),
    isBroad,
    isUndecided,
    lightnessOf,
    ({ stepCount }) => stepCount,
    isDeliberate,
    (symptom) => !cause.includes(symptom),
  );
  return all.sort((a, b) => byExplanation(a, b) || byBasicness(a, b)) as unknown as Group;
}

/** Whether a fault of messages says why a call was refused, and not only that it was. */
function isReason({ isOfMessages, verdict: { finding } }: Symptom): boolean {
  return isOfMessages && !(finding.outcome === 'fail' && finding.saysWhy === false);
}

/** Compares by the first of these numbers or truths in which two values differ: the smaller, or false, first. */
const ascending =
  <Value>(...keys: readonly ((value: Value) => number | boolean)[]) =>
  (a: Value, b: Value): number => {
    for (const key of keys) {
      const [first, second] = [Number(key(a)), Number(key(b))];
      if (first !== second) return first - second;
    }
    return 0;
  };

/** The most basic first: failures before others, and checks that need few steps before those of many. */
function byBasicness(a: Symptom, b: Symptom): number {
  const isAnswer = a.kind === 'answer' && b.kind === 'answer';
  const compare = ascending<Symptom>(
    isBroad,
    isUndecided,
    ({ isOfMessages }) => !isOfMessages,
    ({ stepCount }) => stepCount,
    isDeliberate,
    // Of steps with the same answer the first in the run is the cause.
    ({ stepsBefore }) => isAnswer || stepsBefore,
    ({ seq }) => seq,
  );
  return compare(a, b);
}

/**
 * Orders groups: the end of the server first, then what counts most, then the most checks. Checks that could
 * judge nothing come after all these, and a group whose answer passed between two other parties comes last.
 */
function byWeight(a: Group, b: Group): number {
  const compare = ascending<Group>(
    ([{ kind }]) => kind !== 'ended',
    ([first]) => isElsewhere(first),
    ([first]) => first.kind === 'nothing' || (first.kind === 'difference' && isUndecided(first)),
    (group) => Math.min(...group.map(lightnessOf)),
    (group) => -group.filter(({ verdict }) => verdict.outcome === 'fail').length,
    ({ length }) => -length,
  );
  return compare(a, b) || byBasicness(a[0], b[0]);
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

/** Whether it is a broad check, which is rarely told as the cause. */
const isBroad = ({ verdict }: Symptom) => verdict.requirements.length > MAX_REQUIREMENTS;

/** A step without a deliberate mistake is more basic than one with it. */
const isDeliberate = ({ step }: Symptom) => step?.step.defect !== undefined;

/** When so many checks fail by one answer, its step is the cause. Fewer may have reasons of their own. */
const MIN_NEEDED = 3;

function toldAsCause(group: Group, journal: JournalView): Told {
  const [lead] = group;
  const { verdict, step } = lead;
  const { finding } = verdict;
  if (lead.kind === 'ended') return endAsCause(group, journal);
  const isNeeded = lead.kind === 'answer' && !isDeliberate(lead) && step?.result.kind !== 'done';
  if (step && isNeeded && group.length >= MIN_NEEDED) return stepAsCause(group, step);
  if (finding.outcome === 'inconclusive') {
    const where =
      lead.stoppedScenario === undefined ? '' : `the scenario ${lead.stoppedScenario} could not go on: `;
    return { cause: `${where}${finding.because}`, blame: finding.blame };
  }
  const { actual, advice, blame } = finding;
  return { cause: `"${verdict.title}" does not hold: ${actual}`, check: verdict.check, advice, blame };
}

/** The cause is a step without a deliberate mistake that did not succeed, and that other checks need. */
function stepAsCause([{ verdict }, ...others]: Group, played: PlayedStep): Told {
  const { check, finding } = verdict;
  const { step, result } = played;
  const where = step.scenario === check ? '' : ` of ${step.scenario}`;
  return {
    cause: `the step "${step.label}" (${methodIn(played)})${where} ought to succeed and did not: ${describe(result)}`,
    check: finding.outcome === 'fail' ? check : undefined,
    advice: `Find out why this step is not done: nothing is wrong with it, and ${others.length} other checks need one like it.`,
    blame: finding.blame,
  };
}

/** Returns 0 for a failure; more for what could not be judged, and for a warning. */
function lightnessOf({ verdict: { outcome } }: Symptom): number {
  return outcome === 'warning' ? 2 : Number(outcome === 'inconclusive');
}

/** Whether a check could not judge, and so shows no cause. */
const isUndecided = ({ verdict }: Symptom) => verdict.finding.outcome === 'inconclusive';

/** Tells the end of the program under test as the cause of what failed afterwards. */
function endAsCause(group: Group, journal: JournalView): Told {
  const [{ key, end, verdict }] = group;
  if (!end) {
    const event = journal.serverEvents.find(({ seq }) => String(seq) === key);
    return { cause: `the server under test ${event?.ended ?? 'could not be reached any more'}` };
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
  };
}

const ADVICE_AT_END =
  'Find in what it wrote last why it ended: no answer of a server may end it, whatever form the answer has.';

/** Two checks are near when they share this part of the requirements of the one that has more. */
const MIN_SHARE = 0.25;
/** A group with the answer of a cause follows from it up to this part of the size of the cause. */
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
const METHOD = /(?<![a-z_])[a-z_]+\.[a-z_]+/g;

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
