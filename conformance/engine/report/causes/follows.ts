/** Decides whether a red verdict follows from another fault, so that the report tells both as one cause. */
import type { RequirementId } from '#protocol/requirements.ts';
import type { Symptom } from './symptom.ts';

/** Symptoms that show the same difference. The first is the one that shows it best. */
export type Group = readonly [Symptom, ...Symptom[]];

/** Two checks are near when they share this part of the requirements of the one that has more. */
const MIN_SHARE = 0.25;
/**
 * A group that shares the answer of a step with a cause follows from it only up to this size, as a part of
 * the size of the cause: a larger group is more likely a cause itself.
 */
const MAX_FOLLOWING = 0.25;

export function follows(group: Group, cause: Group): boolean {
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
export function explains(cause: Group, group: Group): boolean {
  return cause.some((symptom) => explainsOneOf(symptom, group));
}

/** Whether this fault says that a check of these symptoms fails because of it. */
export function explainsOneOf(symptom: Symptom, others: readonly Symptom[]): boolean {
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

/**
 * Whether both groups have the same answer among their symptoms. A rule that found the message wrong says why
 * the answer was given, so it may have any size.
 */
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
