/** Puts what is red in order of cause, so that one fault is told once and what follows from it below it. */

import type { Verdict } from '../../check/verdict.ts';
import { describe } from '../../journal/describe-result.ts';
import type { Entry, Party } from '../../journal/entry.ts';
import { groupBy } from '../../journal/group-by.ts';
import { JournalView, type PlayedStep } from '../../journal/view.ts';
import type { ReportedCause } from '../schema/schema.ts';
import { follows, type Group } from './follows.ts';
import { type Symptom, Symptoms } from './symptom.ts';

export type Cause = ReportedCause;

/**
 * The cause of a check if another check shows it or several checks share it; undefined when the check is its
 * own cause.
 */
export function causeOf(check: string, causes: readonly Cause[]): Cause | undefined {
  const found = causes.find(({ checks }) => checks.includes(check));
  return found && found.check !== check && found.checks.length > 1 ? found : undefined;
}

/** What to do about a red check: what its cause asks for. Undefined when the check alone says so. */
export function adviceOf(check: string, causes: readonly Cause[]): string | undefined {
  return causes.find(({ checks }) => checks.includes(check))?.advice;
}

/** A cause in one sentence, with the check that shows it. */
export function causeWords({ cause, check }: Cause): string {
  return check === undefined ? cause : `${check}: ${cause}`;
}

/** The causes of all red verdicts and warnings, the most basic first. Pure. */
export function causesOf(verdicts: readonly Verdict[], entries: readonly Entry[]): Cause[] {
  const red = verdicts.filter(({ outcome }) => outcome !== 'pass' && outcome !== 'not applicable');
  if (red.length === 0) return [];
  const journal = new JournalView(entries);
  const symptoms = new Symptoms(journal);
  return inOrderOfCause(red.map((verdict) => symptoms.of(verdict))).map((group) =>
    causeOfGroup(group, journal),
  );
}

/**
 * The groups of symptoms, one for each cause. Groups of the same difference are joined, again and again, with
 * what follows from them: first around the one from which most follows.
 */
function inOrderOfCause(symptoms: readonly Symptom[]): Group[] {
  const groups = byDifference(symptoms);
  const left = groups.filter(([{ kind }]) => kind !== 'nothing');
  const joined: Group[] = [];
  while (left.length > 0) {
    const sets = left.map((cause) => [
      cause,
      ...left.filter((each) => each !== cause && follows(each, cause)),
    ]);
    const largest = sets.reduce((best, set) => (sizeOf(set) > sizeOf(best) ? set : best));
    for (const each of largest) left.splice(left.indexOf(each), 1);
    joined.push(inOne(largest));
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

function byDifference(symptoms: readonly Symptom[]): Group[] {
  const groups = groupBy(symptoms, ({ kind, key }) => `${kind} ${key}`);
  return [...groups.values()].map((group) => group.sort(byBasicness) as unknown as Group).sort(byWeight);
}

/** Joins groups. The first is the one from which the others follow; a rule of messages explains an answer. */
function inOne(groups: readonly Group[]): Group {
  const cause: readonly Symptom[] = groups[0] ?? [];
  const isAnswer = groups.some(([{ kind }]) => kind === 'answer');
  const explains = (symptom: Symptom) => Number(isAnswer && symptom.isOfMessages && !isRefusalAlone(symptom));
  const isOwn = (symptom: Symptom) => Number(cause.includes(symptom));
  return groups.flat().sort(
    (a, b) =>
      explains(b) - explains(a) ||
      breadthOf(a) - breadthOf(b) ||
      levelOf(a) - levelOf(b) ||
      a.width - b.width ||
      // A step without a deliberate mistake is more basic than one with it.
      Number(isDeliberate(a)) - Number(isDeliberate(b)) ||
      isOwn(b) - isOwn(a) ||
      byBasicness(a, b),
  ) as unknown as Group;
}

/** Whether the check says no more than that a call was refused, which explains nothing. */
function isRefusalAlone({ verdict: { finding } }: Symptom): boolean {
  return finding.outcome === 'fail' && finding.actual.startsWith('refused with');
}

/** A failure first, the most binding first; then what takes the fewest steps to show. */
function byBasicness(a: Symptom, b: Symptom): number {
  return (
    breadthOf(a) - breadthOf(b) ||
    levelOf(a) - levelOf(b) ||
    Number(b.isOfMessages) - Number(a.isOfMessages) ||
    a.width - b.width ||
    Number(isDeliberate(a)) - Number(isDeliberate(b)) ||
    // Of steps with the same answer the first in the run is the cause.
    (a.kind === 'answer' && b.kind === 'answer' ? 0 : compare(a.place, b.place)) ||
    compare(a.at, b.at)
  );
}

/** The end of the server first, then the cause of the most. */
function byWeight(a: Group, b: Group): number {
  const [[one], [other]] = [a, b];
  return (
    Number(other.kind === 'ended') - Number(one.kind === 'ended') ||
    Number(isElsewhere(one)) - Number(isElsewhere(other)) ||
    b.length - a.length ||
    byBasicness(one, other)
  );
}

const SIDES: Readonly<Partial<Record<Party, string>>> = {
  'auth server': 'auth',
  'EHR server': 'ehr',
  client: 'client',
};

/** Whether it is an answer between two others, which only shows what the party did before. */
function isElsewhere({ kind, key, verdict: { finding } }: Symptom): boolean {
  const side = 'blame' in finding ? SIDES[finding.blame] : undefined;
  const [, caller, callee] = /^(\w+)->(\w+) /.exec(kind === 'answer' ? key : '') ?? [];
  return side !== undefined && caller !== undefined && side !== caller && side !== callee;
}

const LEVELS = ['MUST', 'SHOULD', 'ADVICE'] as const;

function levelOf({ verdict }: Symptom): number {
  return verdict.finding.outcome === 'fail' ? LEVELS.indexOf(verdict.level) : LEVELS.length;
}

/** A check of more requirements says little about any one of them. */
const MAX_REQUIREMENTS = 6;

function breadthOf({ verdict }: Symptom): number {
  return Number(verdict.requirements.length > MAX_REQUIREMENTS);
}

const isDeliberate = ({ step }: Symptom) => step?.step.defect !== undefined;

/** Compares numbers, of which several may be infinite. */
const compare = (a: number, b: number) => (a === b ? 0 : a - b);

/** From so many checks on, a step is one that the others need. */
const MIN_NEEDED = 3;

function causeOfGroup(group: Group, journal: JournalView): Cause {
  const [lead] = group;
  const { verdict, step } = lead;
  const { finding } = verdict;
  const checks = group.map((each) => each.verdict.check);
  if (lead.kind === 'ended') {
    const event = journal.serverEvents.find(({ seq }) => String(seq) === lead.key);
    return { cause: `the server under test ${event?.ended ?? 'could not be reached any more'}`, checks };
  }
  const isNeeded = lead.kind === 'answer' && !isDeliberate(lead) && step?.result.kind !== 'done';
  if (step && isNeeded && group.length >= MIN_NEEDED) return causeOfStep(group, step);
  if (finding.outcome === 'inconclusive') {
    const where = lead.stopped === undefined ? '' : `the scenario ${lead.stopped} could not go on: `;
    return { cause: `${where}${finding.because}`, blame: finding.blame, checks };
  }
  const { actual, advice, blame } = finding as typeof finding & { outcome: 'fail' };
  return {
    cause: `"${verdict.title}" does not hold: ${actual}`,
    check: verdict.check,
    advice,
    blame,
    checks,
  };
}

/** A step with which nothing is wrong is not done, and others need it. */
function causeOfStep([{ verdict }, ...others]: Group, { step, exchanges, result }: PlayedStep): Cause {
  const { check, finding } = verdict;
  const what = exchanges.at(-1)?.facts.call?.method ?? step.step;
  const where = step.scenario === check ? '' : ` of ${step.scenario}`;
  return {
    cause: `the step "${step.label}" (${what})${where} ought to succeed and did not: ${describe(result)}`,
    check: finding.outcome === 'fail' ? check : undefined,
    advice: `Find out why this step is not done: nothing is wrong with it, and ${others.length} other checks need one like it.`,
    blame: 'blame' in finding ? finding.blame : undefined,
    checks: [check, ...others.map((other) => other.verdict.check)],
  };
}
