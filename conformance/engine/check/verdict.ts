/** What a check finds, and how verdicts become one answer. */
import type { RequirementId } from '#protocol/requirements.ts';
import type { Party } from '../journal/entry.ts';

/** MUST and SHOULD as in the requirement; ADVICE is good practice beyond the interface. */
export type CheckLevel = 'MUST' | 'SHOULD' | 'ADVICE';

export type Outcome =
  | 'pass'
  | 'fail'
  /** A broken SHOULD or ADVICE; red with --strict. */
  | 'warning'
  /** Not judged for a good reason: the server declares that it lacks the feature. */
  | 'not applicable'
  /** Not judged although it should have been: red. */
  | 'inconclusive';

/** What a check finds in the journal. */
export type Finding =
  | { outcome: 'pass'; evidence: number[] }
  | {
      outcome: 'fail';
      expected: string;
      actual: string;
      /** `seq` of the journal entries that show it. */
      evidence: number[];
      blame: Party;
      /** What the integrator should do, in one or two sentences. */
      advice: string;
      /** Whether a slow machine could have caused it. */
      timeSensitive?: boolean;
    }
  | { outcome: 'not applicable'; because: string }
  | { outcome: 'inconclusive'; because: string; evidence?: number[]; blame: Party };

export type Verdict = {
  check: string;
  title: string;
  level: CheckLevel;
  requirements: readonly RequirementId[];
  scenarios: readonly string[];
  /** Requirements of this check that the run showed nothing of: no call that they cover crossed the wire. */
  unshown?: readonly RequirementId[];
} & (
  | { outcome: 'warning'; finding: Finding & { outcome: 'fail' } }
  | {
      [Name in Finding['outcome']]: { outcome: Name; finding: Finding & { outcome: Name } };
    }[Finding['outcome']]
);

/** Limits the entries that a finding names as evidence: more show nothing further. */
export const MAX_EVIDENCE = 8;

/** Exit codes of the command line. */
export const EXIT = { conformant: 0, notConformant: 1, notSetUp: 2, harnessFault: 3 } as const;

/** Whether the run is green. An inconclusive verdict is not: what was not judged has not passed. */
export function isConformant(verdicts: readonly Verdict[], strict: boolean): boolean {
  return verdicts.every(
    ({ outcome }) => outcome === 'pass' || outcome === 'not applicable' || (outcome === 'warning' && !strict),
  );
}
