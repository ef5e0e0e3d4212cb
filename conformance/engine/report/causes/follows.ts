/** Whether what is red follows from another fault, so that both are told as one. */
import type { RequirementId } from '#protocol/requirements.ts';
import type { Symptom } from './symptom.ts';

/** Symptoms of one and the same difference, the one that shows it best first. */
export type Group = readonly [Symptom, ...Symptom[]];

/** Requirements that two checks share count from this share of those of the wider check. */
const MIN_SHARE = 0.25;
/** Of those who share an answer with a step that others need, this share at most follows from it. */
const MAX_FOLLOWING = 0.25;

/** Whether a group follows from another one. */
export function follows(group: Group, cause: Group): boolean {
  const [lead] = group;
  const [first] = cause;
  if (lead.kind === 'ended' || first.kind === 'ended') return false;
  if (lead.kind === 'nothing')
    return cause.some((other) => other.kind === 'answer' || isNothingFor(lead, other));
  if (group.some((own) => cause.some((other) => hasSameAdvice(own, other)))) return true;
  if (isOfSameAnswer(group, cause)) return true;
  // A message that is wrong in itself was refused, and a step went wrong by that.
  if (first.isOfMessages && meets(first.answers, lead.refusals)) return true;
  return cause.some((other) => breaksSameRule(lead, other) || isSameMessage(lead, other));
}

/** Both ask for the same remedy. */
function hasSameAdvice({ verdict: a }: Symptom, { verdict: b }: Symptom): boolean {
  return (
    a.finding.outcome === 'fail' && b.finding.outcome === 'fail' && a.finding.advice === b.finding.advice
  );
}

/** The same answer shows in both; a rule of messages says why it was given. */
function isOfSameAnswer(group: Group, cause: Group): boolean {
  const [lead] = group;
  const [first] = cause;
  if (first.kind !== 'answer') return lead.kind === 'difference' && meets(lead.answers, first.answers);
  if (!group.some(({ answers }) => answers.has(first.key))) return false;
  return lead.isOfMessages || group.length <= cause.length * MAX_FOLLOWING;
}

/** They judge the same requirement, at the same kind of step or in the same call. */
function breaksSameRule(a: Symptom, b: Symptom): boolean {
  if (!isNear(a.verdict.requirements, b.verdict.requirements)) return false;
  return meets(a.steps, b.steps) || ((a.isOfMessages || b.isOfMessages) && meets(a.calls, b.calls));
}

function isSameMessage(a: Symptom, b: Symptom): boolean {
  return a.kind === 'difference' && b.kind === 'difference' && meets(a.evidence, b.evidence);
}

const METHOD = /[a-z_]+\.[a-z_]+/g;

/** Nothing could be judged for want of a call that another check misses too. */
function isNothingFor({ verdict }: Symptom, { verdict: other }: Symptom): boolean {
  if (verdict.finding.outcome !== 'inconclusive' || other.finding.outcome !== 'fail') return false;
  if (isNear(verdict.requirements, other.requirements)) return true;
  const { expected } = other.finding;
  return (verdict.finding.because.match(METHOD) ?? []).some((method) => expected.includes(method));
}

function isNear(a: readonly RequirementId[], b: readonly RequirementId[]): boolean {
  const shared = a.filter((each) => b.includes(each)).length;
  return shared > 0 && shared / Math.max(a.length, b.length) >= MIN_SHARE;
}

function meets<T>(a: ReadonlySet<T>, b: ReadonlySet<T>): boolean {
  for (const each of a) if (b.has(each)) return true;
  return false;
}
