/** A scenario: what the harness does in the clients' place, so that the checks have something to judge. */
import type { StepName } from '../journal/entry.ts';
import type { Stage } from '../stage/stage.ts';

export type Scenario = {
  /** kebab-case; checks and `--only` name it. */
  readonly id: string;
  /** What is played, as one plain sentence. */
  readonly title: string;
  /** Steps without which there is nothing to play. */
  readonly needs: readonly StepName[];
  /** Plays it; a {@link ScenarioStopped} ends it early, and what was played is judged. */
  readonly play: (stage: Stage) => Promise<void>;
};
