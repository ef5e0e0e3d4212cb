/** What a check says, and how single verdicts become one answer. */
import type { RequirementId } from '#protocol/requirements.ts';
import type { Party } from './journal/entry.ts';

/** MUST and SHOULD as in the requirement; ADVICE is good practice beyond the interface. */
export type CheckLevel = 'MUST' | 'SHOULD' | 'ADVICE';

export type Outcome =
  | 'pass'
  | 'fail'
  /** Broken, but only a SHOULD or an ADVICE; red with --strict. */
  | 'warning'
  /** Rightly not judged, with the reason: the server declares that it has no such thing. */
  | 'not applicable'
  /** Could not be judged although it ought to have been: red. */
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
  /** Those of its requirements of which this run showed nothing: no call that they are about crossed the wire. */
  unshown?: readonly RequirementId[];
} & (
  | { outcome: 'warning'; finding: Finding & { outcome: 'fail' } }
  | { [Name in Finding['outcome']]: { outcome: Name; finding: Finding & { outcome: Name } } }[Finding['outcome']]
);

/** Exit codes of the command line. */
export const EXIT = { conformant: 0, notConformant: 1, notSetUp: 2, harnessFault: 3 } as const;

/** The whole run in one word. Inconclusive is never green: what could not be judged has not passed. */
export function isConformant(verdicts: readonly Verdict[], strict: boolean): boolean {
  return verdicts.every(
    ({ outcome }) => outcome === 'pass' || outcome === 'not applicable' || (outcome === 'warning' && !strict),
  );
}
