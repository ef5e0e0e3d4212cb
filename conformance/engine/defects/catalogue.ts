/**
 * The form of a role's catalogue for the self-test of the kit: the right party, parties with one defect each,
 * which a check must find, and harmless variants, which no check may report.
 */
import type { Clock } from '#protocol/time/clock.ts';
import type { Check } from '../check/check.ts';
import type { Verdict } from '../check/verdict.ts';
import type { Party } from '../journal/entry.ts';
import type { Run } from '../journal/run-file.ts';

/** A right party, or a party with one difference from a right one. */
export type Variant = {
  /** kebab-case */
  readonly id: string;
  /** What this variant does, as one plain sentence. */
  readonly title: string;
};

/** A party with a known fault. */
export type DefectOf<V extends Variant> = V & {
  /** Id of the check that must find the defect. */
  readonly caughtBy: string;
  /** Scenarios to play, for a check that judges the messages of all; the check's own unless given. */
  readonly playing?: readonly string[] | undefined;
};

/** A party that differs from the right one without a fault. */
export type HarmlessOf<V extends Variant> = V & {
  /** Ids of the checks that cannot be played with this variant: for them `not applicable` is right. */
  readonly notPlayable?: readonly string[] | undefined;
  /**
   * Ids of the checks of recommendations, decisions and facts of the field that must find the difference: a
   * fault is the only right finding of them.
   */
  readonly told?: readonly string[] | undefined;
};

/** The seed decides the phones and invented values of a run. */
export type PlayOptions = { clock: Clock; seed: number; signal: AbortSignal };

/** The checks to judge and the ids of the scenarios to play; all of the role unless given. */
export type Asked = { checks?: readonly Check[]; scenarios?: readonly string[] };

/** All variants of a role, and how they are played. */
export type Catalogue<V extends Variant> = {
  /** The name of the party in findings that blame it. */
  readonly party: Party;
  readonly checks: readonly Check[];
  /** The right party. */
  readonly reference: V;
  readonly defects: readonly DefectOf<V>[];
  readonly harmless: readonly HarmlessOf<V>[];
  /** Whether `not applicable` is a right verdict of this check on the right party. */
  mayNotApply(check: string): boolean;
  /** Whether this verdict on a harmless variant may differ from the verdict on the right party. */
  mayDiffer?(variant: V, verdict: Verdict): boolean;
  /** How many scenarios of a check are played to find a defect, from the first; all unless given. */
  readonly mostPlayed?: number;
  /**
   * Starts the variant, plays the scenarios with it, and returns the recorded run.
   * @throws NotSetUp when the doctor finds a problem
   */
  play(variant: V, options: PlayOptions, asked: Asked): Promise<Run>;
};

/** The doctor, which examines a set-up before it is judged, rejected a variant: nothing was judged. */
export class NotSetUp extends Error {
  override name = 'NotSetUp';
}
