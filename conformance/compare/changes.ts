/** What changed between two reports: what got worse, what got better, and what makes them comparable or not. */

import type { Report, ReportedVerdict } from '../report/schema.ts';
import { LATEST } from '../requirement-sets/sets.ts';

export type ChangeKind =
  | 'newly failing'
  | 'newly inconclusive'
  | 'newly warned'
  /** It applied before and does not any more: less is judged than was. */
  | 'no longer judged'
  | 'fixed'
  /** A failure that only a warning or an open question is left of. */
  | 'less bad'
  | 'judged now'
  /** The first report does not have the check. */
  | 'added'
  /** The second report does not have the check. */
  | 'removed';

type Outcome = ReportedVerdict['outcome'];

export type Change = {
  kind: ChangeKind;
  check: string;
  title: string;
  was: Outcome | undefined;
  now: Outcome | undefined;
  /** What is seen now, or was seen where the check is gone. */
  detail: string;
  /** Whether it makes the second report worse than the first. */
  worse: boolean;
};

/** A difference of the runs themselves, which may explain the rest. */
export type Difference = { what: string; was: string; now: string };

export type Comparison = {
  changes: Change[];
  differences: Difference[];
  /** How many checks have the same outcome in both. */
  same: number;
  /** 1 when anything got worse, else 0. */
  exitCode: 0 | 1;
};

/** Kinds in the order in which a reader wants them. */
export const changeKinds: readonly ChangeKind[] = [
  'newly failing',
  'newly inconclusive',
  'newly warned',
  'no longer judged',
  'less bad',
  'fixed',
  'judged now',
  'added',
  'removed',
];

/**
 * Compares report `b` with the earlier report `a`.
 *
 * The second is worse, and the exit code 1, when a check that was not red is red now (failing or inconclusive; so is a
 * new check that is red), when a check that passed does not apply any more or is gone although the run was not
 * restricted, and, where the second report is strict, when a check gives a warning that it did not give. A failure that
 * stays a failure is not worse: that is for the verdict of the run itself.
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

function changeOf(
  was: ReportedVerdict | undefined,
  now: ReportedVerdict | undefined,
  { strict, only, requirementSet }: Report['summary'],
): Change[] {
  const verdict = now ?? was;
  if (!verdict || was?.outcome === now?.outcome) return [];
  const kind = kindOf(was?.outcome, now?.outcome);
  const worse =
    (isRed(now?.outcome) && !isRed(was?.outcome)) ||
    (strict && now?.outcome === 'warning' && !isRed(was?.outcome)) ||
    (was?.outcome === 'pass' &&
      (kind === 'no longer judged' || (kind === 'removed' && only === undefined && requirementSet === LATEST)));
  return [
    {
      kind,
      check: verdict.check,
      title: verdict.title,
      was: was?.outcome,
      now: now?.outcome,
      detail: detailOf(verdict),
      worse,
    },
  ];
}

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
      return isRed(was) ? 'less bad' : 'newly warned';
    case 'not applicable':
      return 'no longer judged';
    case 'pass':
      return was === 'not applicable' ? 'judged now' : 'fixed';
  }
}

function isRed(outcome: Outcome | undefined): boolean {
  return outcome === 'fail' || outcome === 'inconclusive';
}

function detailOf({ finding }: ReportedVerdict): string {
  switch (finding.outcome) {
    case 'fail':
      return `expected ${finding.expected}; actual ${finding.actual}`;
    case 'pass':
      return '';
    default:
      return finding.because;
  }
}

function differencesOf(a: Report, b: Report): Difference[] {
  const of = ({ meta, summary }: Report): Record<string, string> => ({
    'server under test': meta.target,
    version: meta.tool,
    node: meta.node,
    seed: String(meta.seed),
    mode: meta.mode,
    ...leavesOf('configuration', meta.configuration),
    ...leavesOf('abilities', meta.abilities),
    'requirement set': summary.requirementSet,
    'restricted to': summary.only ?? 'nothing',
    strict: summary.strict ? 'yes' : 'no',
    'run to its end': summary.finished ? 'yes' : 'no',
    conclusion: summary.conclusion,
  });
  const [was, now] = [of(a), of(b)];
  return [...new Set([...Object.keys(was), ...Object.keys(now)])].flatMap((what) =>
    was[what] === now[what] ? [] : [{ what, was: was[what] ?? 'none', now: now[what] ?? 'none' }],
  );
}

/** Every single value of a setting, by its path: what changed is not searched for in a wall of JSON. */
function leavesOf(path: string, value: unknown): Record<string, string> {
  if (Array.isArray(value)) return { [path]: value.length > 0 ? JSON.stringify(value) : 'none' };
  if (typeof value !== 'object' || value === null) return { [path]: String(value) };
  return Object.assign({}, ...Object.entries(value).map(([name, member]) => leavesOf(`${path} ${name}`, member)));
}
