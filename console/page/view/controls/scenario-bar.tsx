/**
 * The scenarios: choose one and its pace, play, pause, make one step. The same buttons hold the messages back
 * that come without a scenario, and show them one by one.
 */
import { useRef } from 'react';
import { texts } from '../../texts.ts';
import { chosenScenario } from '../chosen-scenario.ts';
import { type PlayPace, paces, useConsole } from '../context.ts';
import { Button } from '../parts/button.tsx';
import { type Option, Select } from '../parts/select.tsx';

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
  const console = useConsole();
  const { model, act, ui } = console;
  const { id, isPlaying, which } = chosenScenario(console);
  const play = () => void act.scenario({ do: 'play', ...which, paceMs: paces[ui.pace] });
  const stepScenario = () => void act.scenario({ do: 'step', ...which });
  const areWaiting = model.held.length > 0;
  return (
    <span className="row play-buttons">
      <Button
        className="btn btn-primary"
        disabled={isPlaying || (id === '' && !model.paused)}
        onClick={model.paused ? act.resume : play}
      >
        <span aria-hidden="true">▶ </span>
        <span>{model.paused ? texts.resume : texts.play}</span>
      </Button>
      <Button
        disabled={model.paused && !isPlaying}
        title={isPlaying ? undefined : texts.pauseMessages}
        onClick={isPlaying ? () => void act.scenario({ do: 'pause' }) : act.pause}
      >
        <span aria-hidden="true">❚❚ </span>
        <span>{texts.pause}</span>
      </Button>
      <Button
        text={texts.step}
        disabled={!areWaiting && (isPlaying || id === '')}
        onClick={areWaiting ? act.showNext : stepScenario}
      />
    </span>
  );
}

function PaceChoice() {
  const console = useConsole();
  const { act, ui, setUi } = console;
  const { isPlaying } = chosenScenario(console);

  /** What plays goes on at the new pace. */
  async function choose(pace: PlayPace) {
    setUi({ pace });
    if (!isPlaying) return;
    await act.scenario({ do: 'pause' });
    await act.scenario({ do: 'play', paceMs: paces[pace] });
  }

  return (
    <Select
      className="btn pace-select"
      aria-label={texts.pace}
      value={ui.pace}
      options={Object.keys(paces).map((pace) => [pace, texts[`pace_${pace as PlayPace}` as const]])}
      onChoose={(pace) => void choose(pace as PlayPace)}
    />
  );
}

/** The list, to which keys lead. */
export const SCENARIO_LIST_ID = 'scenario';

/** A list that was opened by the mouse gives the keys back: `G` and `S` act on what was chosen. */
function ScenarioChoice() {
  const isByPointer = useRef(false);
  const console = useConsole();
  const { model, act, setUi } = console;
  const options = (model.overview?.scenarios ?? []).map(({ id, title }): Option => [id, title]);

  /** Their own hands take over what is under way. */
  function choose(scenario: string) {
    if (isByPointer.current) document.getElementById(SCENARIO_LIST_ID)?.blur();
    setUi({ scenario });
    if (scenario === '' && model.overview?.scenario.id != null) void act.takeOver();
  }

  return (
    <Select
      className="btn scenario-select"
      id={SCENARIO_LIST_ID}
      aria-label={texts.scenario}
      value={chosenScenario(console).id}
      options={[['', `${texts.scenario}: ${texts.noScenario}`], ...options]}
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
