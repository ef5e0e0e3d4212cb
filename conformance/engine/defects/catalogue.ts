/** The catalogue of a role: right parties, parties with one defect each, and harmless variants. */
import type { Clock } from '#protocol/time/clock.ts';
import type { Check } from '../check/check.ts';
import type { Verdict } from '../check/verdict.ts';
import type { Party } from '../journal/entry.ts';
import type { Run } from '../journal/run-file.ts';

/** A party with one difference from a right one. */
export type Variant = {
  /** kebab-case, and the shape itself for a right party. */
  readonly id: string;
  /** What it does, as one plain sentence. */
  readonly title: string;
  /** Which of the right parties it differs from; the first unless given. */
  readonly shape?: string | undefined;
};

export type DefectOf<V extends Variant> = V & {
  /** The check that must find it. */
  readonly caughtBy: string;
  /** Public systems that had it: repository and number of an issue or pull request, or an advisory. */
  readonly seenIn?: readonly string[] | undefined;
  /** Scenarios to play, where the check judges the messages of all of them. */
  readonly playing?: readonly string[] | undefined;
};

export type HarmlessOf<V extends Variant> = V & {
  /** Checks that cannot be played with it. */
  readonly notPlayable?: readonly string[] | undefined;
};

export type PlayOptions = { clock: Clock; seed: number; signal: AbortSignal };

/** Names the checks and scenarios to play. All of them unless given. */
export type Asked = { checks?: readonly Check[]; scenarios?: readonly string[] };

export type Catalogue<V extends Variant> = {
  /** How findings name the party. */
  readonly party: Party;
  readonly checks: readonly Check[];
  /** The right parties, one for each shape. */
  readonly references: readonly V[];
  readonly defects: readonly DefectOf<V>[];
  readonly harmless: readonly HarmlessOf<V>[];
  /** Whether it is right that a check does not apply to a right party. */
  mayNotApply(reference: V, check: string): boolean;
  /** Whether a verdict on a variant may be another than on the right party. */
  mayDiffer?(variant: V, verdict: Verdict): boolean;
  /** Limits the scenarios played for one defect: the first of a check show it. All unless given. */
  readonly mostPlayed?: number;
  /**
   * Plays a variant.
   * @throws NotSetUp when the doctor finds a problem
   */
  play(variant: V, options: PlayOptions, asked: Asked): Promise<Run>;
};

/** The doctor rejected a variant: nothing was judged. */
export class NotSetUp extends Error {
  override name = 'NotSetUp';
}

/** Whether an id is chosen by `--only`: it contains one of these texts, between commas. */
export function isNamed(only: string | undefined, id: string): boolean {
  return (only ?? '').split(',').some((part) => id.includes(part));
}
