/** Plays scenarios one after the other: what a scenario leaves behind is in the journal, however it ended. */
import type { StepName } from '../journal/entry.ts';
import type { Recorder } from '../journal/recorder.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { ScenarioStopped, type Stage } from './stage.ts';

export type PlayProgress = { scenario: Scenario; index: number; of: number };

/**
 * Plays the scenarios in order. A scenario that cannot go on ends early, with the reason in the journal; only an abort
 * of the run, or a fault of the harness itself, is thrown.
 */
export async function playAll(
  stage: Stage,
  scenarios: readonly Scenario[],
  recorder: Recorder,
  onBegin: (progress: PlayProgress) => void = () => undefined,
): Promise<void> {
  for (const [index, scenario] of scenarios.entries()) {
    onBegin({ scenario, index, of: scenarios.length });
    const absent = scenario.needs.filter((step: StepName) => !stage.adapter.has(step));
    recorder.beginScenario(scenario.id);
    if (absent.length > 0) {
      recorder.endScenario(scenario.id, { absent });
      continue;
    }
    try {
      await scenario.play(stage);
      recorder.endScenario(scenario.id);
    } catch (error) {
      if (!(error instanceof ScenarioStopped)) throw error;
      recorder.endScenario(scenario.id, { stopped: { because: error.message, blame: error.blame } });
    }
  }
}
