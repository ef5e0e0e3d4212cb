/** Finds out what a rerun plays: the red checks of a report, the file about the party, and what they need. */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { requireDirectory } from '#service/process/files/writing.ts';
import type { Check } from '../../check/check.ts';
import { neededBy } from '../../check/chosen.ts';
import { InputError } from '../../input-error.ts';
import { readRun } from '../../journal/input-file.ts';
import type { Run } from '../../journal/run-file.ts';
import { withoutSetAside } from '../../report/baseline/set-aside.ts';
import { MANY_SCENARIOS, narrowed } from '../../report/compare/scope.ts';
import { redIn } from '../../report/red-parts.ts';
import { checksOf, requirementSet } from '../../report/requirement-sets/sets.ts';
import { type Report, type ReportedVerdict, readReport } from '../../report/schema/schema.ts';
import { entryOf, type Role, type RoleEntry } from '../../role.ts';
import type { ReportSettings } from './report-run.ts';

/** Options of the command line that decide what is played. */
export type PlanOptions = {
  /** The file about the party; the one that the report names unless given. */
  config?: string;
  /** Directory of the new reports; none are written unless given. */
  report?: string;
  /** The seed of the report unless given. */
  seed?: number;
  /** True: wait in real time where the clock of the party under test cannot be moved. */
  slow: boolean;
};

/** The checks that a rerun plays, with the settings by which it judges them. */
export type RerunPlan = {
  role: Role;
  /** Path of the file about the party. */
  config: string;
  seed: number;
  slow: boolean;
  /** The verdicts that were red. */
  red: readonly ReportedVerdict[];
  /**
   * Their checks, without those that the kit has no more. One that judges many scenarios has only those in
   * which it was red, where that is sound.
   */
  checks: readonly Check[];
  /** Says why so many scenarios are played; undefined where there are few. */
  warning: string | undefined;
  settings: ReportSettings;
};

/**
 * Reads the report, and finds out what is to be played again.
 * @returns undefined when nothing is red in the report
 * @throws InputError when the report, or the file that it names, cannot be used
 */
export async function planOf(
  file: string,
  options: PlanOptions,
  roles: readonly RoleEntry[],
): Promise<RerunPlan | undefined> {
  const report = readReport(file);
  requireRepeatable(file, report);
  requireOtherDirectory(file, options.report);
  const red = redIn(report);
  if (red.length === 0) return undefined;
  const { summary, meta } = report;
  const { seed = meta.seed, slow, config = configOf(file, report) } = options;
  const loaded = await entryOf(roles, meta.role).load();
  const setAside = Object.fromEntries(
    report.requirements.flatMap(({ id, unjudged, because = '' }) =>
      unjudged === 'set aside' ? [[id, because]] : [],
    ),
  );
  const wanted = new Set(red.map(({ check }) => check));
  const all = checksOf(loaded.checks, requirementSet(summary.requirementSet, loaded.id));
  const chosen = withoutSetAside(all, setAside).filter(({ id }) => wanted.has(id));
  const run = chosen.some(({ scenarios }) => scenarios.length > MANY_SCENARIOS)
    ? runBeside(file, report)
    : undefined;
  const checks = run ? narrowed(chosen, red, { run, party: loaded.party }) : chosen;
  const own = new Map(checks.map((check) => [check.id, check]));
  // The reports of a rerun must not ask for scenarios that it does not play.
  const role = { ...loaded, checks: loaded.checks.map((check) => own.get(check.id) ?? check) };
  const settings: ReportSettings = {
    directory: options.report,
    only: checks.map(({ id }) => id).join(','),
    demands: summary.demands,
    requirements: summary.requirementSet,
    baseline: { failures: [], setAside },
  };
  return { role, config, seed, slow, red, checks, warning: warningOf(checks, role), settings };
}

/** @throws InputError when the report is not of a run that can be played again */
function requireRepeatable(file: string, { meta, summary: { conclusion } }: Report): void {
  if (meta.mode === 'watch')
    throw new InputError(
      `${file} is of a session that a person clicked through, which cannot be played again. Please name the report of a run.`,
    );
  if (conclusion === 'not set up' || conclusion === 'nothing judged')
    throw new InputError(
      `${file} has no verdict to compare with: its conclusion is "${conclusion}". Please judge the party first.`,
    );
}

/** @throws InputError when the report names no file about the party, or one that is not there */
function configOf(file: string, { meta }: Report): string {
  if (meta.file === undefined)
    throw new InputError(
      `${file} does not say with which file about the party it was made. Please name that file by --config.`,
    );
  const config = join(dirname(file), meta.file);
  if (existsSync(config)) return config;
  throw new InputError(
    `${file} was made with ${config}, and there is no such file. Please name the file about the party by --config.`,
  );
}

/** The run of the report, where its file lies beside it. */
function runBeside(file: string, { meta }: Report): Run | undefined {
  try {
    const run = readRun(join(dirname(file), 'run.json'));
    return run.meta.startedAt === meta.startedAt ? run : undefined;
  } catch (error) {
    // Without the run, all scenarios are played again.
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

/** A check that still needs many scenarios is said to make the rerun long. */
function warningOf(checks: readonly Check[], { scenarios }: Role): string | undefined {
  const all = scenarios.length;
  const [widest] = [...checks].sort((a, b) => b.scenarios.length - a.scenarios.length);
  if (!widest || widest.scenarios.length <= MANY_SCENARIOS) return undefined;
  const needed = widest.scenarios.length;
  if (needed === all) return `Plays all ${all} scenarios, since ${widest.id} judges all of them.`;
  return `Plays ${neededBy(checks, scenarios).length} of ${all} scenarios, since ${widest.id} judges ${needed} of them.`;
}

/** The report that was read is whole, and the new one is a part: it must not take its place. */
function requireOtherDirectory(file: string, directory: string | undefined): void {
  if (directory === undefined) return;
  if (resolve(directory) === resolve(dirname(file)))
    throw new InputError(
      `--report ${directory} would put a part in the place of the whole report. Please name another directory.`,
    );
  requireDirectory('--report', directory);
}
