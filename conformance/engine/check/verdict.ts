/** The outcome of a check: its finding, its verdict, and the exit code that all verdicts of a run lead to. */
import type { Party } from '../journal/entry.ts';
import type { JudgedId, Weight } from './weight.ts';

export type Outcome =
  | 'pass'
  | 'fail'
  /** A recommendation that is not followed; red with --strict. */
  | 'warning'
  /** Not judged for a reason that is no fault, such as a feature that the server declares to lack. */
  | 'not applicable'
  /** Not judged although it should have been: red. */
  | 'inconclusive';

export type Finding =
  | { outcome: 'pass'; evidence: number[] }
  | {
      outcome: 'fail';
      expected: string;
      actual: string;
      /** `seq` of the journal entries that show the fault. */
      evidence: number[];
      blame: Party;
      advice: string;
      /** Whether a slow machine could have caused the fault. */
      timeSensitive?: boolean;
      explains?: readonly string[];
      /** True: it says why its steps, and those answered alike, were refused. False: only that they were. */
      saysWhy?: boolean;
    }
  | { outcome: 'not applicable'; because: string }
  | {
      outcome: 'inconclusive';
      because: string;
      evidence?: number[];
      blame: Party;
      /** A stall of the kit may have caused it: another play may show more. */
      isDisturbed?: true;
    };

/** The finding of a check, with what identifies the check. `outcome` takes the weight into account. */
export type Verdict = Weight & {
  check: string;
  title: string;
  requirements: readonly JudgedId[];
  scenarios: readonly string[];
  /** Requirements of this check about which the run shows nothing: no call that they cover was made. */
  unshown?: readonly JudgedId[];
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

export type Demands = {
  /** What else makes it fail: with `safety` an essential weakness, with `interface` nothing. */
  gate: 'interface' | 'safety';
  strict: boolean;
};

export const usualDemands: Demands = { gate: 'safety', strict: false };

/** Whether a verdict is red. An inconclusive one is: what was not judged has not passed. */
export function isRed({ part, outcome }: Pick<Verdict, 'part' | 'outcome'>, demands: Demands): boolean {
  if (outcome === 'pass' || outcome === 'not applicable') return false;
  if (part === 'safety' && demands.gate === 'interface') return false;
  return outcome !== 'warning' || demands.strict;
}
