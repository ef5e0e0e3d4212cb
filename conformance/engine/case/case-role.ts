/** What the command `case` needs to know about a role. */
import type { PlayOptions, Variant } from '../defects/catalogue.ts';
import type { Env } from '../party/file/env.ts';
import type { CaseParty, Stand } from './told.ts';
import type { Sides } from './trace/traced-call.ts';

/** The file about a party, and how its programs are started. */
export type CaseOpening = Omit<PlayOptions, 'tap'> & { config: string; env: Env };

export type CaseRole<V extends Variant> = {
  readonly sides: Sides;
  /** Whether all parties of the role have one interface, so that a script can be played with each. */
  readonly isAlike: boolean;
  /**
   * Starts the party of a file, or finds it running, for the scripts of a case.
   * @throws Untellable for a set-up that a script cannot play
   */
  standOf(opening: CaseOpening): Promise<Stand>;
  /** The right party that the kit knows and that is most like the party of a file. */
  rightFor(opening: CaseOpening): Promise<CaseParty>;
  /** A party of the self-test. */
  variant(variant: V, options: PlayOptions): CaseParty;
  /** The right party for one of the self-test whose file differs. Undefined: that of the catalogue serves. */
  rightOf?(variant: V, options: PlayOptions): CaseParty | undefined;
};
