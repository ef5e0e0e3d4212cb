/** The outcome of a check: its finding, its verdict, and the exit code that all verdicts of a run lead to. */
import type { RequirementId } from '#protocol/requirements.ts';
import type { Party } from '../journal/entry.ts';

/** MUST and SHOULD as in the requirement; ADVICE is good practice beyond the interface. */
export type CheckLevel = 'MUST' | 'SHOULD' | 'ADVICE';

/** How a check ends. */
export type Outcome =
  | 'pass'
  | 'fail'
  /** A broken SHOULD or ADVICE; red with --strict. */
  | 'warning'
  /** Not judged for a reason that is no fault, such as a feature that the server declares to lack. */
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
      /** `seq` of the journal entries that show the fault. */
      evidence: number[];
      blame: Party;
      /** What the integrator should do, in one or two sentences. */
      advice: string;
      /** Whether a slow machine could have caused the fault. */
      timeSensitive?: boolean;
    }
  | { outcome: 'not applicable'; because: string }
  | { outcome: 'inconclusive'; because: string; evidence?: number[]; blame: Party };

/** The finding of a check, with what identifies the check. `outcome` takes the level into account. */
export type Verdict = {
  check: string;
  title: string;
  level: CheckLevel;
  requirements: readonly RequirementId[];
  scenarios: readonly string[];
  /** Requirements of this check about which the run shows nothing: no call that they cover was made. */
  unshown?: readonly RequirementId[];
} & (
  | { outcome: 'warning'; finding: Finding & { outcome: 'fail' } }
  | {
      [Name in Finding['outcome']]: { outcome: Name; finding: Finding & { outcome: Name } };
    }[Finding['outcome']]
);

/** Limits how many entries a finding names as evidence: more entries would show nothing new. */
export const MAX_EVIDENCE = 8;

/** Exit codes of the command line. A harness fault is a fault of the kit itself. */
export const EXIT = { conformant: 0, notConformant: 1, notSetUp: 2, harnessFault: 3 } as const;

/** Whether the run is green. An inconclusive verdict is not: what was not judged has not passed. */
export function isConformant(verdicts: readonly Verdict[], strict: boolean): boolean {
  return verdicts.every(
    ({ outcome }) => outcome === 'pass' || outcome === 'not applicable' || (outcome === 'warning' && !strict),
  );
}
