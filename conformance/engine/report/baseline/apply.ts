/**
 * Applies the list of known failures (`known-failures.yaml`) to the verdicts of a run. A known failure does
 * not fail the build; an entry of the list that is out of date does.
 */
import { type Demands, isRed, type Verdict } from '../../check/verdict.ts';
import type { Baseline, KnownFailure } from './load.ts';

/** What the list of known failures changes. The keys of `known` and `flaky` are ids of checks. */
export type Applied = {
  /** Checks that fail as known, with the reason. */
  known: Readonly<Record<string, string>>;
  /** Checks that are known to pass or fail by chance, with the reason. */
  flaky: Readonly<Record<string, string>>;
  /**
   * Entries that are out of date: the check does not fail any more, or the last day of the entry has passed.
   */
  stale: { check: string; because: string }[];
  /** Whether the build may go on: every failure is known, and no entry is out of date. */
  passes: boolean;
};

/** The run to which the list is applied. */
export type ApplyOptions = {
  /** What makes a run fail. */
  demands: Demands;
  /** The day of the run, `YYYY-MM-DD`. */
  today: string;
};

/**
 * Compares verdicts with the list of known failures. An entry is up to date while its check fails, warns,
 * differs or is inconclusive; an entry for a flaky check also while the check passes. Checks that did not
 * run (`--only`, a watched session) are ignored.
 */
export function applyBaseline(
  verdicts: readonly Verdict[],
  baseline: Baseline,
  { demands, today }: ApplyOptions,
): Applied {
  const byCheck = new Map(verdicts.map((verdict) => [verdict.check, verdict]));
  const known: Record<string, string> = {};
  const flaky: Record<string, string> = {};
  const stale: Applied['stale'] = [];
  for (const { check, reason, lastDay, place, isFlaky } of baseline) {
    const verdict = byCheck.get(check);
    if (!verdict) continue;
    if ((verdict.outcome === 'pass' && !isFlaky) || verdict.outcome === 'not applicable') {
      const now = verdict.outcome === 'pass' ? 'it passes now' : 'it does not apply now';
      stale.push({
        check,
        because: `${place}: listed as ${isFlaky ? 'flaky' : 'a known failure'}, but ${now}. Please take it off the list.`,
      });
    } else if (lastDay !== undefined && today > lastDay) {
      stale.push({
        check,
        because: `${place}: accepted until ${lastDay}, which has passed. Please have it mended, or accept it again.`,
      });
    } else (isFlaky ? flaky : known)[check] = reason;
  }
  const others = verdicts.filter(({ check }) => !Object.hasOwn(known, check) && !Object.hasOwn(flaky, check));
  return { known, flaky, stale, passes: stale.length === 0 && others.every((each) => !isRed(each, demands)) };
}

/** The entries whose check passes now. A flaky check may pass. */
export function fixedIn(verdicts: readonly Verdict[], baseline: Baseline): KnownFailure[] {
  const passing = new Set(verdicts.filter(({ outcome }) => outcome === 'pass').map(({ check }) => check));
  return baseline.filter(({ check, isFlaky }) => passing.has(check) && !isFlaky);
}
