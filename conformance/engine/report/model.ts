/** Builds the report of a run as data. All forms are written from it: terminal, JSON, JUnit and HTML. */
import { requirement } from '#protocol/requirements.ts';
import { type Demands, EXIT, isRed, usualDemands, type Verdict } from '../check/verdict.ts';
import { type ConclusionPart, parts } from '../check/weight.ts';
import { scenariosByEntry } from '../journal/attribution.ts';
import type { Run } from '../journal/run-file.ts';
import { causesOf } from './causes/causes.ts';
import { type AppliedFailures, applyKnownFailures, type KnownFailure } from './known-failures.ts';
import { type CheckInfo, type MatrixInput, matrixOf } from './matrix.ts';
import { byScenario, scenariosOf, shownEntries, straysOf, tookOf } from './scenarios.ts';
import { FORMAT, type Report, type ReportedRequirement } from './schema/schema.ts';
import { headlineOf, isUnfollowedFact, type PartEnd, sentenceOf } from './sentence.ts';
import { evidenceOf, outcomesInOrder } from './words.ts';

type Summary = Report['summary'];
type Counts = Summary['counts'];

export type ReportOptions = {
  role: string;
  /** All checks, also those that did not run: the matrix explains why a requirement was not judged. */
  checks: readonly CheckInfo[];
  scenarios?: readonly { id: string; title: string }[];
  /** Requirements that no run can decide for parties of this role, each with the reason. */
  notJudged?: MatrixInput['notJudged'];
  demands?: Demands;
  /** The restriction of the run, as the user wrote it: `--only 5.1`. */
  only?: string | undefined;
  baseline?: readonly KnownFailure[];
  notSetUp?: readonly { problem: string; remedy: string }[];
  /** Returns the command that plays a check alone; undefined where none does. */
  playAlone?: ((check: string) => string) | undefined;
};

/**
 * Builds the report. The same journal always gives the same report.
 * @throws Error when a verdict names an entry that the journal lacks, which only a defect of a check can
 * cause
 */
export function reportOf(run: Run, verdicts: readonly Verdict[], options: ReportOptions): Report {
  const { scenarios = [], demands = usualDemands, only, baseline = [], notSetUp = [] } = options;
  const { meta, entries } = run;
  const isSetUp = notSetUp.length === 0;
  const applied = applyKnownFailures(verdicts, baseline, { demands, today: meta.startedAt.slice(0, 10) });
  const causes = causesOf(verdicts, entries);
  const requirements = matrixOf({ ...options, only, mode: meta.mode, verdicts, notSetUp: !isSetUp });
  const strays = straysOf(entries);
  return {
    format: FORMAT,
    summary: summaryOf(run, verdicts, {
      demands,
      only,
      isSetUp,
      applied,
      requirements,
      causes: causes.length,
    }),
    meta,
    notSetUp: isSetUp ? undefined : [...notSetUp],
    staleBaseline: applied.stale,
    verdicts: verdicts.map((verdict) => ({
      ...verdict,
      clause: clausesOf(verdict),
      known: applied.known[verdict.check],
      playAlone: options.playAlone?.(verdict.check),
    })),
    causes,
    requirements,
    ...playedOf(run, verdicts, [{ id: '', title: outside[meta.mode] }, ...scenarios]),
    strays: strays.length > 0 ? strays : undefined,
  };
}

/** What the summary says besides the verdicts. `causes` is their number. */
type SummaryAbout = {
  demands: Demands;
  only: string | undefined;
  isSetUp: boolean;
  applied: AppliedFailures;
  requirements: readonly ReportedRequirement[];
  causes: number;
};

function summaryOf({ meta, entries }: Run, verdicts: readonly Verdict[], about: SummaryAbout): Summary {
  const { demands, only, isSetUp, applied, requirements, causes } = about;
  const { mode, finished } = meta;
  const partOf = (part: ConclusionPart) => {
    const own = verdicts.filter((verdict) => verdict.part === part);
    const rows = requirements.filter((row) => row.part === part);
    const ended = isSetUp ? { finished, ...conclusionOn(own, demands) } : undefined;
    const headline = headlineOf(part, rows, ended);
    return { headline, checks: countsOf(own), requirements: statusCounts(rows) };
  };
  const conclusion = isSetUp ? concludes(verdicts, finished, demands, applied) : 'not set up';
  const summary = {
    conclusion,
    exitCode: exitCodeOf(conclusion, applied, finished),
    finished,
    demands,
    only,
    took: tookOf(entries),
    counts: countsOf(verdicts),
    parts: { interface: partOf('interface'), safety: partOf('safety') },
    known: Object.keys(applied.known).length,
  };
  const sentence = sentenceOf(summary, {
    mode,
    stale: applied.stale.length,
    causes,
    fieldFacts: requirements.filter(isUnfollowedFact).length,
    isKitToBlame: verdicts.every(isOfKit),
    unclear: verdicts.filter(({ outcome }) => outcome === 'inconclusive').map(({ check }) => check),
  });
  return { ...summary, sentence };
}

const outside = { scenarios: 'Between the scenarios', watch: 'The watched session' } as const;

/** The conclusion of a run that was set up. The first rule that applies counts. */
function concludes(
  verdicts: readonly Verdict[],
  finished: boolean,
  demands: Demands,
  { stale }: AppliedFailures,
): Summary['conclusion'] {
  const red = verdicts.filter((verdict) => isRed(verdict, demands));
  const wrong = red.filter(({ outcome }) => outcome !== 'inconclusive');
  const failed = wrong.filter(({ outcome }) => outcome === 'fail');
  if (failed.length > 0) return worstOf(failed);
  if (!finished) return 'broken off';
  // A run that judged nothing must not look like a success.
  const { pass, warning } = countsOf(verdicts);
  if (pass + warning === 0 && red.length === 0) return 'nothing judged';
  if (wrong.length > 0) return worstOf(wrong);
  if (red.length > 0) return 'inconclusive';
  return stale.length > 0 ? 'known failures out of date' : 'conformant';
}

function conclusionOn(own: readonly Verdict[], demands: Demands): Omit<PartEnd, 'finished'> {
  const failed = countsOf(own).fail;
  const red = own.filter((verdict) => isRed(verdict, demands));
  if (red.some(({ outcome }) => outcome !== 'inconclusive')) return { failed, conclusion: 'not conformant' };
  return { failed, conclusion: red.length > 0 ? 'inconclusive' : 'conformant' };
}

function worstOf(red: readonly Verdict[]): Summary['conclusion'] {
  const worst = parts.find((part) => red.some((verdict) => verdict.part === part)) ?? 'interface';
  return worst === 'interface' ? 'not conformant' : 'not safe';
}

/** Whether a verdict that could not be reached is due to the kit or its surroundings, not to the party. */
const isOfKit = ({ finding }: Verdict): boolean =>
  finding.outcome !== 'inconclusive' || finding.blame === 'harness' || finding.blame === 'environment';

function exitCodeOf(
  conclusion: Summary['conclusion'],
  { passes }: AppliedFailures,
  finished: boolean,
): number {
  if (conclusion === 'not set up') return EXIT.notSetUp;
  return passes && finished && conclusion !== 'nothing judged' ? EXIT.conformant : EXIT.notConformant;
}

/** The clauses of all requirements that a check judges, each once. */
function clausesOf({ requirements }: Verdict): string {
  return [...new Set(requirements.flatMap((id) => requirement(id).clause.split(', ')))].join(', ');
}

/** The scenarios, each with the checks that its messages show, and the entries that the report shows. */
function playedOf(
  { entries }: Run,
  verdicts: readonly Verdict[],
  titles: readonly { id: string; title: string }[],
): Pick<Report, 'scenarios' | 'entries'> {
  const scenarioBySeq = scenariosByEntry(entries);
  const groups = byScenario(entries, scenarioBySeq);
  const scenarios = scenariosOf(groups, titles);
  const played = scenarios.filter(({ scenario }) => scenario !== '').length;
  const checks = new Map<string, string[]>();
  for (const verdict of verdicts) {
    const shown = new Set(
      evidenceOf(verdict.finding).map((seq) => scenarioOfEntry(seq, verdict, scenarioBySeq)),
    );
    // A verdict that names no entry counts for its scenarios, unless it judges them all.
    const ofAll = verdict.scenarios.length >= played ? [] : verdict.scenarios;
    for (const scenario of shown.size > 0 ? shown : ofAll)
      checks.set(scenario, [...(checks.get(scenario) ?? []), verdict.check]);
  }
  const { entries: kept, shown } = shownEntries(entries, verdicts, { groups, scenarioBySeq });
  return {
    scenarios: scenarios.map((about) => ({
      ...about,
      shown: shown.get(about.scenario) ?? 0,
      checks: checks.get(about.scenario) ?? [],
    })),
    entries: kept,
  };
}

function scenarioOfEntry(
  seq: number,
  { check }: Verdict,
  scenarioBySeq: ReadonlyMap<number, string>,
): string {
  const scenario = scenarioBySeq.get(seq);
  if (scenario !== undefined) return scenario;
  throw new Error(`Failed to report: the check ${check} names entry ${seq}, which is not in the journal.`);
}

function countsOf(verdicts: readonly Pick<Verdict, 'outcome'>[]): Counts {
  const counts = Object.fromEntries(outcomesInOrder.map((name) => [name, 0])) as Counts;
  for (const { outcome } of verdicts) counts[outcome]++;
  return counts;
}

function statusCounts(matrix: readonly ReportedRequirement[]) {
  const counts = { met: 0, broken: 0, warning: 0, inconclusive: 0, 'not judged': 0 };
  for (const { status } of matrix) counts[status]++;
  return counts;
}
