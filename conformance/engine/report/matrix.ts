/**
 * Works out the status of each requirement from the verdicts of its checks. A requirement is met only when a
 * message showed it: without evidence it is "not judged".
 */
import type { Requirement } from '#protocol/requirements/requirement.ts';
import { type RequirementId, requirements } from '#protocol/requirements.ts';
import type { Check } from '../check/check.ts';
import type { Outcome, Verdict } from '../check/verdict.ts';
import { isJudged, type Weight, weightOfRow } from '../check/weight.ts';
import type { Run } from '../journal/run-file.ts';
import type { ReportedRequirement } from './schema/schema.ts';

/** What the reports use of a check: everything but its functions. */
export type CheckInfo = Omit<Check, 'judge' | 'red'>;

export type MatrixInput = {
  mode: Run['meta']['mode'];
  role: string;
  /** Requirements that no run can decide for parties of this role, each with the reason. */
  notJudged?: Readonly<Partial<Record<RequirementId, string>>> | undefined;
  /** All checks, also those that did not run: the matrix says why a requirement was not judged. */
  checks: readonly CheckInfo[];
  verdicts: readonly Verdict[];
  only: string | undefined;
  notSetUp: boolean;
};

/** The status of every requirement on the party, and of others that a check cites, in order of the table. */
export function matrixOf(input: MatrixInput): ReportedRequirement[] {
  const verdicts = new Map(input.verdicts.map((verdict) => [verdict.check, verdict]));
  const cited = new Set<RequirementId>(input.checks.flatMap((check) => check.requirements));
  const rows: readonly (Requirement & { readonly id: RequirementId })[] = requirements;
  const judged = rows
    .filter(isJudged)
    .filter(({ id, party }) => cited.has(id) || [party].flat().some((each) => each === input.role));
  return judged.map((row) => {
    const { id, clause, source, level, risk, text } = row;
    const basis = source === 'field' ? 'clients that are deployed depend on it' : row.basis;
    const weight = weightOfRow(row);
    // `judging` are the checks of this requirement, `asked` the verdicts of those that ran.
    const judging = input.checks.filter((check) => (check.requirements as readonly string[]).includes(id));
    const asked = judging.flatMap((check) => verdicts.get(check.id) ?? []);
    const checks = judging.map((check) => ({
      check: check.id,
      outcome: verdicts.get(check.id)?.outcome ?? ('not run' as const),
    }));
    const about = { id, clause, source, part: weight.part, level, text, basis, risk, checks };
    const { status, ...why } = statusOf(id, judging, asked, input);
    return { ...about, status: status === 'faulty' ? faultOf(weight, asked) : status, ...why };
  });
}

/** `because` is the reason in words; `unjudged` is the kind of reason why a requirement was not judged. */
type Status = Pick<ReportedRequirement, 'because' | 'unjudged'> & {
  status: Exclude<ReportedRequirement['status'], 'broken' | 'warning'> | 'faulty';
};

function faultOf({ level }: Weight, asked: readonly Verdict[]): 'broken' | 'warning' {
  const isBroken = level === 'MUST' && asked.some(({ outcome }) => outcome === 'fail');
  return isBroken ? 'broken' : 'warning';
}

/** The status of one requirement. The worst verdict of its checks counts. */
function statusOf(
  id: RequirementId,
  judging: readonly CheckInfo[],
  asked: readonly Verdict[],
  input: MatrixInput,
): Status {
  const of = (outcome: Outcome) => asked.filter((verdict) => verdict.outcome === outcome);
  const reasons = (outcome: Outcome) => {
    const all = of(outcome).flatMap(({ finding }) => ('because' in finding ? [finding.because] : []));
    return [...new Set(all)].join('; ');
  };
  if ([...of('fail'), ...of('warning')].length > 0) return { status: 'faulty' };
  if (of('inconclusive').length > 0) return { status: 'inconclusive', because: reasons('inconclusive') };
  const unasked = judging.filter((check) => !asked.some((verdict) => verdict.check === check.id));
  // Passes that a message showed. `unshown` are requirements of a check that no message was about.
  const shown = of('pass').filter(
    ({ finding, unshown = [] }) =>
      finding.outcome === 'pass' &&
      finding.evidence.length > 0 &&
      !(unshown as readonly string[]).includes(id),
  );
  if (shown.length > 0) {
    if (unasked.length === 0) return { status: 'met' };
    const unaskedIds = unasked.map(({ id }) => id).join(', ');
    return { status: 'met', because: `judged in part: ${whyNotRun(unasked, input)} (${unaskedIds})` };
  }
  const status = 'not judged';
  if (judging.length === 0) {
    const because = input.notJudged?.[id];
    if (because !== undefined) return { status, unjudged: 'not applicable', because };
    return { status, unjudged: 'no check', because: 'no check judges it' };
  }
  if (asked.length === 0) return { status, unjudged: 'not asked', because: whyNotRun(unasked, input) };
  if (of('pass').length > 0)
    return { status, unjudged: 'not seen', because: 'nothing that it is about crossed the wire' };
  return { status, unjudged: 'not applicable', because: reasons('not applicable') };
}

function whyNotRun(unasked: readonly CheckInfo[], { mode, only, notSetUp }: MatrixInput): string {
  if (notSetUp) return 'the set-up was not ready, so nothing was judged';
  if (mode === 'watch' && unasked.every(({ watchable }) => !watchable))
    return 'a watched session cannot show it: no scenario says what was intended';
  if (only !== undefined) return `not asked, because the run was restricted to ${only}`;
  return 'not asked in this run';
}
