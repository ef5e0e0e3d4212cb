/** A variant of the right EHR server: its one difference, and the required verdict. */
import type { EhrChange } from '../self-test/serve.ts';

type VariantRow = {
  /** What this server does, as one plain sentence. */
  readonly title: string;
  readonly change: EhrChange;
  /** Settings of its file that differ. */
  readonly settings?: Readonly<Record<string, unknown>>;
};

type DefectRow = VariantRow & {
  /** The check that must find it. */
  readonly caughtBy: string;
  /** Public systems that had it: repository and number of an issue or pull request, or an advisory. */
  readonly seenIn?: readonly string[];
  /** Scenarios to play, where the check judges the messages of all of them. */
  readonly playing?: readonly string[];
};

type HarmlessRow = VariantRow & {
  /** Checks that cannot be played with its file. */
  readonly notPlayable?: readonly string[];
};

export type EhrVariant = VariantRow & { readonly id: string };

/** A variant with one defect. */
export type EhrDefect = DefectRow & { readonly id: string };

/** A variant that is as right as the reference: it must change no verdict. */
export type EhrHarmless = HarmlessRow & { readonly id: string };

/** Create defects from rows, by their ids in kebab-case. */
export function defects(rows: Readonly<Record<string, DefectRow>>): readonly EhrDefect[] {
  return Object.entries(rows).map(([id, row]) => ({ id, ...row }));
}

/** Create harmless variants from rows, by their ids in kebab-case. */
export function harmless(rows: Readonly<Record<string, HarmlessRow>>): readonly EhrHarmless[] {
  return Object.entries(rows).map(([id, row]) => ({ id, ...row }));
}
