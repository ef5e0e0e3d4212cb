/**
 * Finds the changes between two reports of the kit: what got worse, what got better, and how the runs
 * themselves differ.
 */

import { isRed, usualDemands } from '../../check/verdict.ts';
import { parts } from '../../check/weight.ts';
import { LATEST } from '../requirement-sets/sets.ts';
import type { Report, ReportedVerdict } from '../schema/schema.ts';

type Outcome = ReportedVerdict['outcome'];

/** The kinds of changes, in the order in which they are shown. */
export const changeKinds = [
  'newly failing',
  'newly inconclusive',
  'newly warned',
  /** An open point is decided otherwise than in our reference, and was not before. */
  'newly differing',
  /** The check applied before and does not any more: less is judged. */
  'no longer judged',
  /** A failure became a warning or an inconclusive verdict. */
  'less bad',
  'fixed',
  'judged now',
  /** The first report does not have the check. */
  'added',
  /** The second report does not have the check. */
  'removed',
] as const;
export type ChangeKind = (typeof changeKinds)[number];

/**
 * A check whose outcome differs. `was` is `undefined` where the first report lacks the check, `now` where the
 * second does.
 */
export type Change = {
  kind: ChangeKind;
  check: string;
  title: string;
  was: Outcome | undefined;
  now: Outcome | undefined;
  /** The finding of the second report, or of the first where the check was removed. */
  detail: string;
  /** Whether the change makes the second report worse than the first. */
  worse: boolean;
};

/** A setting in which the runs differ, which may explain changes of verdicts. */
export type Difference = { what: string; was: string; now: string };

/** All that differs between two reports. */
export type Comparison = {
  changes: Change[];
  differences: Difference[];
  /** How many checks have the same outcome in both reports. */
  same: number;
  /** 1 when anything got worse, else 0. */
  exitCode: 0 | 1;
};

/**
 * Compares the later report `b` with the earlier report `a`.
 * The later one is worse (exit code 1) in these cases:
 * - A check is red that was not, or that is new. What is red, the demands of the later report say.
 * - A check that passed does not apply any more.
 * - A check that passed is gone, although the run was not restricted.
 * A failure that stays a failure is not worse: the verdict of the run itself covers it.
 */
export function compareReports(a: Report, b: Report): Comparison {
  const before = new Map(a.verdicts.map((verdict) => [verdict.check, verdict]));
  const after = new Map(b.verdicts.map((verdict) => [verdict.check, verdict]));
  const pairs = [...new Set([...before.keys(), ...after.keys()])].map(
    (check) => [before.get(check), after.get(check)] as const,
  );
  const changes = pairs
    .flatMap(([was, now]) => changeOf(was, now, b.summary))
    .sort((x, y) => changeKinds.indexOf(x.kind) - changeKinds.indexOf(y.kind));
  return {
    changes,
    differences: differencesOf(a, b),
    same: pairs.length - changes.length,
    exitCode: changes.some(({ worse }) => worse) ? 1 : 0,
  };
}

/** The change of one check, as a list of one; empty when the outcome is the same. */
function changeOf(
  was: ReportedVerdict | undefined,
  now: ReportedVerdict | undefined,
  { demands, only, requirementSet }: Report['summary'],
): Change[] {
  const verdict = now ?? was;
  if (!verdict || was?.outcome === now?.outcome) return [];
  const kind = kindOf(was?.outcome, now?.outcome);
  const { gate } = demands;
  const worse =
    (now !== undefined && isRed(now, demands) && !(was && isRed(was, { ...usualDemands, gate }))) ||
    (was?.outcome === 'pass' &&
      (kind === 'no longer judged' ||
        (kind === 'removed' && only === undefined && requirementSet === LATEST)));
  const { check, title } = verdict;
  return [{ kind, check, title, was: was?.outcome, now: now?.outcome, detail: detailOf(verdict), worse }];
}

/** The kind of a change, by the outcomes before and after. */
function kindOf(was: Outcome | undefined, now: Outcome | undefined): ChangeKind {
  if (was === undefined) return 'added';
  switch (now) {
    case undefined:
      return 'removed';
    case 'fail':
      return 'newly failing';
    case 'inconclusive':
      return was === 'fail' ? 'less bad' : 'newly inconclusive';
    case 'warning':
      return isBad(was) ? 'less bad' : 'newly warned';
    case 'differs':
      return isBad(was) ? 'less bad' : 'newly differing';
    case 'not applicable':
      return 'no longer judged';
    case 'pass':
      return was === 'not applicable' ? 'judged now' : 'fixed';
  }
}

/** Whether the outcome is failing or inconclusive. */
function isBad(outcome: Outcome | undefined): boolean {
  return outcome === 'fail' || outcome === 'inconclusive';
}

/** The finding in words; empty for a pass. */
function detailOf({ finding }: ReportedVerdict): string {
  if (finding.outcome === 'pass') return '';
  return finding.outcome === 'fail'
    ? `expected ${finding.expected}; actual ${finding.actual}`
    : finding.because;
}

/** The settings in which the two runs differ. */
function differencesOf(a: Report, b: Report): Difference[] {
  const settingsOf = ({ meta, summary }: Report): Record<string, string> => ({
    'server under test': meta.target,
    version: meta.tool,
    node: meta.node,
    seed: String(meta.seed),
    mode: meta.mode,
    ...leavesOf('configuration', meta.configuration),
    ...leavesOf('abilities', meta.abilities),
    'requirement set': summary.requirementSet,
    'restricted to': summary.only ?? 'nothing',
    ...leavesOf('demands', summary.demands),
    'run to its end': summary.finished ? 'yes' : 'no',
    conclusion: summary.conclusion,
    ...Object.fromEntries(parts.map((part) => [part, summary.parts[part].headline])),
  });
  const [was, now] = [settingsOf(a), settingsOf(b)];
  return [...new Set([...Object.keys(was), ...Object.keys(now)])].flatMap((what) =>
    was[what] === now[what] ? [] : [{ what, was: was[what] ?? 'none', now: now[what] ?? 'none' }],
  );
}

/** The single values in a setting, each by its path, so that a report can say which one changed. */
function leavesOf(path: string, value: unknown): Record<string, string> {
  if (Array.isArray(value)) return { [path]: value.length > 0 ? JSON.stringify(value) : 'none' };
  if (typeof value !== 'object' || value === null) return { [path]: String(value) };
  return Object.assign(
    {},
    ...Object.entries(value).map(([name, member]) => leavesOf(`${path} ${name}`, member)),
  );
}
