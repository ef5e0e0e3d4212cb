/** The error by which a flow says that it cannot go on. */
import type { Party } from '../journal/entry.ts';

/** Ends a scenario. The run continues, and the steps played so far are judged. */
export class ScenarioStopped extends Error {
  readonly blame: Party;
  constructor(because: string, blame: Party) {
    super(because);
    this.blame = blame;
  }
}
