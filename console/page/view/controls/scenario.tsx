/**
 * The bar of scenarios: choose one and its pace, play, pause, make one step. Without a scenario the same
 * buttons hold the messages back, and show them one by one.
 */
import { useRef } from 'react';
import { chosenScenario, playChosen, stepChosen } from '../chosen-scenario.ts';
import { type PlayPace, paces, useConsole } from '../context.ts';
import { Button, type Option, Select } from '../parts.tsx';

export function ScenarioBar() {
  return (
    <div className="row scenario-bar">
      <ScenarioChoice />
      <PaceChoice />
      <PlayButtons />
    </div>
  );
}

function PlayButtons() {
  const context = useConsole();
  const { model, act } = context;
  const { id, isAnyPlaying } = chosenScenario(context);
  const areWaiting = model.waiting.length > 0;
  const canPlay = !isAnyPlaying && (id !== '' || model.paused);
  const canPause = isAnyPlaying || !model.paused;
  const canStep = areWaiting || (!isAnyPlaying && id !== '');
  return (
    <span className="row play-buttons">
      <Button
        className="btn btn-primary"
        disabled={!canPlay}
        onClick={model.paused ? act.resume : () => playChosen(context)}
      >
        <span aria-hidden="true">▶ </span>
        <span>{model.paused ? 'Resume' : 'Play'}</span>
      </Button>
      <Button
        disabled={!canPause}
        title={isAnyPlaying ? undefined : 'New messages wait until you go on'}
        onClick={isAnyPlaying ? () => void act.scenario({ do: 'pause' }) : act.pause}
      >
        <span aria-hidden="true">❚❚ </span>
        <span>Pause</span>
      </Button>
      <Button
        text="Step"
        disabled={!canStep}
        onClick={areWaiting ? act.showNext : () => stepChosen(context)}
      />
    </span>
  );
}

const PACE_OPTIONS: readonly (readonly [PlayPace, string])[] = [
  ['slow', 'slow (5 s)'],
  ['walking', 'a step a second'],
  ['atOnce', 'at once'],
];

function PaceChoice() {
  const context = useConsole();
  const { act, ui, setUi } = context;
  const { isAnyPlaying } = chosenScenario(context);

  /** Sets the pace. The scenario that plays is paused, and goes on at this pace. */
  async function choose(pace: PlayPace) {
    setUi({ pace });
    if (!isAnyPlaying) return;
    await act.scenario({ do: 'pause' });
    await act.scenario({ do: 'play', paceMs: paces[pace] });
  }

  return (
    <Select
      className="btn pace-select"
      aria-label="Pace"
      value={ui.pace}
      options={PACE_OPTIONS}
      onChoose={(pace) => void choose(pace as PlayPace)}
    />
  );
}

/** The list, to which keys lead. */
export const SCENARIO_LIST_ID = 'scenario';

/** The list of scenarios. Once the mouse has chosen, it loses the focus: `G` and `S` are for the page again. */
function ScenarioChoice() {
  const isByPointer = useRef(false);
  const context = useConsole();
  const { model, act, setUi } = context;
  const options = (model.overview?.scenarios ?? []).map(({ id, title }): Option => [id, title]);

  /** Chooses a scenario. Without one, the person goes on by hand where the scenario stands. */
  function choose(scenario: string) {
    if (isByPointer.current) document.getElementById(SCENARIO_LIST_ID)?.blur();
    setUi({ scenario });
    if (scenario === '' && model.overview?.scenario.id != null) void act.takeOver();
  }

  return (
    <Select
      className="btn scenario-select"
      id={SCENARIO_LIST_ID}
      aria-label="Scenario"
      value={chosenScenario(context).id}
      options={[['', `Scenario: by hand`], ...options]}
      onPointerDown={() => {
        isByPointer.current = true;
      }}
      onKeyDown={() => {
        isByPointer.current = false;
      }}
      onChoose={choose}
    />
  );
}
