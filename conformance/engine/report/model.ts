/** Builds the report of a run as data. All forms are written from it: terminal, JSON, JUnit and HTML. */
import { requirement } from '#protocol/requirements.ts';
import { type Demands, usualDemands, type Verdict } from '../check/verdict.ts';
import { scenariosByEntry } from '../journal/attribution.ts';
import type { Run } from '../journal/run-file.ts';
import { causesOf } from './causes/causes.ts';
import { summaryOf } from './conclusion.ts';
import { applyKnownFailures, type KnownFailure } from './known-failures.ts';
import { type MatrixInput, matrixOf } from './matrix.ts';
import { byScenario, scenariosOf, shownEntries, straysOf, tookOf } from './scenarios.ts';
import { FORMAT, type Report } from './schema/schema.ts';
import { evidenceOf } from './words.ts';

export type ReportOptions = Pick<MatrixInput, 'role' | 'checks' | 'notJudged'> & {
  scenarios?: readonly { id: string; title: string }[];
  demands?: Demands;
  /** The restriction of the run, as the user wrote it: `--only 5.1`. */
  only?: string | undefined;
  baseline?: readonly KnownFailure[];
  notSetUp?: readonly { problem: string; remedy: string }[];
  /** Returns the command that plays a check alone; undefined where none does. */
  playAlone?: ((check: string) => string) | undefined;
};

/** Builds the report. The same journal always gives the same one. */
export function reportOf(run: Run, verdicts: readonly Verdict[], options: ReportOptions): Report {
  const { scenarios = [], demands = usualDemands, only, baseline = [], notSetUp = [] } = options;
  const { meta, entries } = run;
  const isSetUp = notSetUp.length === 0;
  const applied = applyKnownFailures(verdicts, baseline, { demands, today: meta.startedAt.slice(0, 10) });
  const causes = causesOf(verdicts, entries);
  const requirements = matrixOf({ ...options, only, mode: meta.mode, verdicts, notSetUp: !isSetUp });
  const judged = { meta, verdicts, requirements, applied, demands, only, isSetUp };
  const strays = straysOf(entries);
  return {
    format: FORMAT,
    summary: summaryOf({ ...judged, took: tookOf(entries), causes: causes.length }),
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

const outside = { scenarios: 'Between the scenarios', watch: 'The watched session' } as const;

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
