/** Looks up what belongs to a verdict: requirements, cause, advice, and whether it makes the run fail. */
import { isRed, type Verdict } from '../check/verdict.ts';
import type { ConclusionPart } from '../check/weight.ts';
import { scenarioOf } from '../journal/attribution.ts';
import type { Places } from './diagram.ts';
import { byScenario } from './scenarios.ts';
import type { Report, ReportedCause, ReportedRequirement, ReportedVerdict } from './schema/schema.ts';
import { outcomesInOrder } from './words.ts';

export type View = {
  report: Report;
  /** In the order of the page: the worst first, and then by cause. */
  verdicts: readonly ReportedVerdict[];
  verdictOf: ReadonlyMap<string, ReportedVerdict>;
  places: Places;
};

/** A cause with its red verdicts, except known failures. `worst` is the worst outcome among them. */
export type ShownCause = {
  cause: ReportedCause;
  verdicts: readonly [ReportedVerdict, ...ReportedVerdict[]];
  worst: Verdict['outcome'];
};

/** Returns the causes in the order of the report. A cause with nothing but known failures is omitted. */
export function shownCauses({ causes, verdicts }: Report): ShownCause[] {
  const byCheck = new Map(verdicts.map((verdict) => [verdict.check, verdict]));
  return causes.flatMap((cause) => {
    const own = cause.checks.flatMap((check) => byCheck.get(check) ?? []);
    const [first, ...others] = own.filter(({ known }) => known === undefined);
    return first ? [{ cause, verdicts: [first, ...others], worst: worstOf([first, ...others]).outcome }] : [];
  });
}

export function requirementsOf(
  { requirements: ids }: Pick<Verdict, 'requirements'>,
  report: Pick<Report, 'requirements'>,
): ReportedRequirement[] {
  const cited: readonly string[] = ids;
  return report.requirements.filter(({ id }) => cited.includes(id));
}

/** The cause of a failing check that another check shows or several share; `undefined`: its own. */
export function causeOf(check: string, causes: readonly ReportedCause[]): ReportedCause | undefined {
  const found = causes.find(({ checks }) => checks.includes(check));
  return found && found.check !== check && found.checks.length > 1 ? found : undefined;
}

/** The advice for the cause of a red check; `undefined`: the advice of the check itself counts. */
export function adviceOf(check: string, causes: readonly ReportedCause[]): string | undefined {
  return causes.find(({ checks }) => checks.includes(check))?.advice;
}

export function causeWords({ cause, check }: ReportedCause): string {
  return check === undefined ? cause : `${check}: ${cause}`;
}

/** The verdicts that make the run fail. Known failures do not. */
export function redIn({ verdicts, summary }: Pick<Report, 'verdicts' | 'summary'>): ReportedVerdict[] {
  return verdicts.filter((verdict) => verdict.known === undefined && isRed(verdict, summary.demands));
}

/** Whether a part makes the run fail. */
export function breaksRun(part: ConclusionPart, report: Report): boolean {
  if (redIn(report).some((verdict) => verdict.part === part)) return true;
  const isJudged = report.verdicts.some((verdict) => verdict.part === part);
  return part === 'interface' && report.summary.exitCode !== 0 && !isJudged;
}

export function viewOf(report: Report): View {
  const { entries } = report;
  const scenarioBySeq = new Map(entries.map((entry) => [entry.seq, scenarioOf(entry) ?? '']));
  return {
    report,
    verdicts: inOrderOfCause(report),
    verdictOf: new Map(report.verdicts.map((verdict) => [verdict.check, verdict])),
    places: { groups: byScenario(entries, scenarioBySeq), scenarioBySeq },
  };
}

const orderOf = ({ outcome }: Pick<ReportedVerdict, 'outcome'>): number => outcomesInOrder.indexOf(outcome);

/** The first of the worst of at least one verdict. */
export const worstOf = (verdicts: readonly ReportedVerdict[]): ReportedVerdict =>
  verdicts.reduce((worst, each) => (orderOf(each) < orderOf(worst) ? each : worst));

function inOrderOfCause({ verdicts, causes }: Report): ReportedVerdict[] {
  const order = new Map(causes.flatMap(({ checks }) => checks).map((check, index) => [check, index]));
  return [...verdicts].sort(
    (a, b) => orderOf(a) - orderOf(b) || (order.get(a.check) ?? 0) - (order.get(b.check) ?? 0),
  );
}
