/**
 * The form of a role's catalogue for the self-test of the kit: the right party, parties with one defect each,
 * which a check must find, and harmless variants, which no check may report.
 */
import type { Clock } from '#protocol/time/clock.ts';
import type { Check } from '../check/check.ts';
import type { Verdict } from '../check/verdict.ts';
import type { Party } from '../journal/entry.ts';
import type { Run } from '../journal/run-file.ts';

export type Variant = { readonly id: string; readonly title: string };

export type DefectOf<V extends Variant> = V & {
  readonly caughtBy: string;
  /** Scenarios to play, for a check that judges the messages of all; the check's own unless given. */
  readonly playing?: readonly string[] | undefined;
};

export type HarmlessOf<V extends Variant> = V & {
  /** Ids of the checks that cannot be played with this variant: for them `not applicable` is right. */
  readonly notPlayable?: readonly string[] | undefined;
  /** Ids of the checks of recommendations and facts of the field that must report the difference. */
  readonly told?: readonly string[] | undefined;
};

export type PlayOptions = { clock: Clock; seed: number; signal: AbortSignal };

/** The checks and scenarios that are played; all unless given. */
export type Selection = { checks?: readonly Check[]; scenarios?: readonly string[] };

export type Catalogue<V extends Variant> = {
  readonly party: Party;
  readonly checks: readonly Check[];
  readonly reference: V;
  readonly defects: readonly DefectOf<V>[];
  readonly harmless: readonly HarmlessOf<V>[];
  /** Whether `not applicable` is a right verdict of this check on the right party. */
  mayNotApply(check: string): boolean;
  /** Whether this verdict on a harmless variant may differ from the verdict on the right party. */
  mayDiffer?(variant: V, verdict: Verdict): boolean;
  /** How many scenarios of a check are played to find a defect, from the first; all unless given. */
  readonly mostPlayed?: number;
  /** Starts the variant, and plays the scenarios. @throws NotSetUp when the doctor finds a problem */
  play(variant: V, options: PlayOptions, selection: Selection): Promise<Run>;
};

/** The doctor, which examines a set-up before it is judged, rejected a variant: nothing was judged. */
export class NotSetUp extends Error {
  override name = 'NotSetUp';
}
