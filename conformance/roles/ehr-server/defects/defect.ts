/** A variant of the right EHR server: its one difference, and the required verdict. */
import type { EhrChange } from '../self-test/serve.ts';

export type EhrVariant = {
  /** kebab-case. */
  readonly id: string;
  /** What this server does, as one plain sentence. */
  readonly title: string;
  readonly change: EhrChange;
  /** Settings of its file that differ. */
  readonly settings?: Readonly<Record<string, unknown>>;
};

/** A variant with one defect, and the check that must find it. */
export type EhrDefect = EhrVariant & {
  readonly caughtBy: string;
  /** Public systems that had it: repository and number of an issue or pull request, or an advisory. */
  readonly seenIn?: readonly string[];
  /** Scenarios to play, where the check judges the messages of all of them. */
  readonly playing?: readonly string[];
};

/** A variant that is as right as the reference: it must change no verdict. */
export type EhrHarmless = EhrVariant & {
  /** Checks that cannot be played with its file. */
  readonly notPlayable?: readonly string[];
};

/** A defect as a row of a table. */
export type DefectRow = readonly [
  id: string,
  title: string,
  change: EhrChange,
  caughtBy: string,
  ...seenIn: readonly string[],
];

export function fromRow([id, title, change, caughtBy, ...seenIn]: DefectRow): EhrDefect {
  return { id, title, change, caughtBy, ...(seenIn.length > 0 && { seenIn }) };
}
