/** How the play of a scenario ends early. */
import type { Party } from '../journal/entry.ts';

/** Ends a scenario that cannot go on; the steps so far are judged. */
export class ScenarioStopped extends Error {
  readonly blame: Party;
  constructor(because: string, blame: Party) {
    super(because);
    this.blame = blame;
  }
}
