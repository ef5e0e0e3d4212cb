/**
 * The scenarios: choose one and its pace, play, pause, make one step. The same buttons hold the messages back
 * that come without a scenario, and show them one by one.
 */
import { useRef } from 'react';
import type { Scenario, ScenarioState } from '../../../api.ts';
import { texts } from '../../texts.ts';
import { chosenScenario, type PlayPace, paces, useConsole } from '../context.ts';
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

export function ScenarioSteps() {
  const console = useConsole();
  const { model } = console;
  const { id } = chosenScenario(console);
  const scenario = model.overview?.scenarios.find((each) => each.id === id);
  const state = model.overview?.scenario;
  if (!scenario || !state) return null;
  const hasBegun = state.id === id;
  return (
    <section
      className={`scenario-steps ${hasBegun ? `phase-${state.phase}` : ''}`}
      aria-label={texts.scenario}
    >
      <p className="scenario-sentence">{scenario.sentence}</p>
      {hasBegun ? <Standing scenario={scenario} state={state} /> : <Plan scenario={scenario} />}
    </section>
  );
}

function Plan({ scenario }: { scenario: Scenario }) {
  return (
    <>
      <p className="hint">{texts.playEmpties}</p>
      <StepList scenario={scenario} />
    </>
  );
}

/** @param made how many steps were made; absent: it has not begun */
export function StepList({ scenario: { steps }, made }: { scenario: Scenario; made?: number }) {
  return (
    <ol className="step-list">
      {steps.map((step, index) => {
        const isNext = index === made;
        // biome-ignore lint/suspicious/noArrayIndexKey: a scenario may make a step twice, and none moves
        return <Step key={index} text={step} isMade={index < (made ?? 0)} isNext={isNext} />;
      })}
    </ol>
  );
}

function Step({ text, isMade, isNext }: { text: string; isMade: boolean; isNext: boolean }) {
  const place = isMade ? 'is-made' : isNext ? 'is-next' : '';
  return (
    <li className={place} aria-current={isNext ? 'step' : undefined}>
      <span>{text}</span>
      {isMade && <span className="visually-hidden">{` (${texts.stepMade})`}</span>}
    </li>
  );
}

function Standing({ scenario: { steps }, state }: { scenario: Scenario; state: ScenarioState }) {
  // A step that failed was not made, and is the one to tell of.
  const hasFailed = state.phase === 'failed';
  const at = state.step + Number(hasFailed);
  const next = hasFailed ? undefined : steps[at];
  return (
    <>
      <p className="row scenario-at">
        <progress max={steps.length} value={state.step} aria-label={texts.scenario} />
        <b>{texts.scenarioStep(at, steps.length)}</b>
        {at > 0 && <span className="scenario-made">{steps[at - 1]}</span>}
        <span className="scenario-phase" role="status">
          {texts[`phase_${state.phase}` as const] + (state.trouble === undefined ? '' : `: ${state.trouble}`)}
        </span>
      </p>
      {next !== undefined && <p className="scenario-next">{texts.nextStep(next)}</p>}
    </>
  );
}
