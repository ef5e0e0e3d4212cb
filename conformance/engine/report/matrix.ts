/**
 * Works out the status of each requirement from the verdicts of its checks. A requirement is met only when a
 * message showed it: without evidence it is "not judged".
 */
import type { Requirement } from '#protocol/requirements/requirement.ts';
import { type RequirementId, requirements } from '#protocol/requirements.ts';
import type { Check } from '../check/check.ts';
import type { Outcome, Verdict } from '../check/verdict.ts';
import { isJudged, type JudgedSource, type Weight, weightOfRow } from '../check/weight.ts';
import type { Run } from '../journal/run-file.ts';
import type { ReportedRequirement } from './schema/schema.ts';

/** What the reports use of a check: everything but its functions. */
export type CheckInfo = Omit<Check, 'judge' | 'red'>;

export type MatrixInput = {
  mode: Run['meta']['mode'];
  role: string;
  /** Requirements that no run can decide for parties of this role, each with the reason. */
  notJudged?: Readonly<Partial<Record<RequirementId, string>>> | undefined;
  checks: readonly CheckInfo[];
  verdicts: readonly Verdict[];
  only: string | undefined;
  notSetUp: boolean;
};

type JudgedRequirement = Requirement & { readonly id: RequirementId; readonly source: JudgedSource };

/**
 * Returns every requirement on the party, and of the others that a check cites, in the order of
 * the table of requirements.
 */
function rowsOf(checks: readonly Pick<CheckInfo, 'requirements'>[], role: string): JudgedRequirement[] {
  const cited = new Set<RequirementId>(checks.flatMap((check) => check.requirements));
  const rows: readonly (Requirement & { readonly id: RequirementId })[] = requirements;
  return rows
    .filter(isJudged)
    .filter(({ id, party }) => cited.has(id) || [party].flat().some((each) => each === role));
}

export function matrixOf(input: MatrixInput): ReportedRequirement[] {
  const verdicts = new Map(input.verdicts.map((verdict) => [verdict.check, verdict]));
  return rowsOf(input.checks, input.role).map((row) => {
    const { id } = row;
    const { clause, source, level, risk, text } = row;
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
    const { status, ...why } = statusOf(row, judging, asked, input);
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
  row: Pick<Requirement, 'id'>,
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
      !(unshown as readonly string[]).includes(row.id),
  );
  if (shown.length > 0) {
    if (unasked.length === 0) return { status: 'met' };
    const unaskedIds = unasked.map(({ id }) => id).join(', ');
    return { status: 'met', because: `judged in part: ${whyNotRun(unasked, input)} (${unaskedIds})` };
  }
  const status = 'not judged';
  if (judging.length === 0) return { status, ...whyNoCheck(row, input.notJudged) };
  if (asked.length === 0) return { status, unjudged: 'not asked', because: whyNotRun(unasked, input) };
  if (of('pass').length > 0)
    return { status, unjudged: 'not seen', because: 'nothing that it is about crossed the wire' };
  return { status, unjudged: 'not applicable', because: reasons('not applicable') };
}

/**
 * Why a requirement has no check: it cannot be judged in this role, cannot be seen in messages, or nobody
 * wrote a check.
 */
function whyNoCheck(
  { id }: Pick<Requirement, 'id'>,
  notJudged: MatrixInput['notJudged'] = {},
): Pick<Status, 'because' | 'unjudged'> {
  const unjudged = notJudged[id as RequirementId];
  if (unjudged !== undefined) return { unjudged: 'not applicable', because: unjudged };
  return { unjudged: 'no check', because: 'no check judges it' };
}

function whyNotRun(unasked: readonly CheckInfo[], { mode, only, notSetUp }: MatrixInput): string {
  if (notSetUp) return 'the set-up was not ready, so nothing was judged';
  if (mode === 'watch' && unasked.every(({ watchable }) => !watchable))
    return 'a watched session cannot show it: no scenario says what was intended';
  if (only !== undefined) return `not asked, because the run was restricted to ${only}`;
  return 'not asked in this run';
}
