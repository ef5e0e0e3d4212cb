/** The errors by which a flow says that it cannot go on, and how they end its scenario. */
import type { Party, ScenarioEntry } from '../journal/entry.ts';

/** Ends a scenario. The run continues, and the steps played so far are judged. */
export class ScenarioStopped extends Error {
  readonly blame: Party;
  constructor(because: string, blame: Party) {
    super(because);
    this.blame = blame;
  }
}

/** Ends a scenario that cannot be played: the party or its file does not offer what the scenario needs. */
export class NotPlayable extends Error {}

/** Plays a scenario, and returns how it ended. Another error than these two ends the run. */
export async function endingOf(
  play: () => Promise<void>,
): Promise<Pick<ScenarioEntry, 'stopped' | 'notPlayable'>> {
  try {
    await play();
    return {};
  } catch (error) {
    if (error instanceof NotPlayable) return { notPlayable: error.message };
    if (error instanceof ScenarioStopped) return { stopped: { because: error.message, blame: error.blame } };
    throw error;
  }
}
