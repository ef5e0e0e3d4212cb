/**
 * The bar of scenarios: choose one and its pace, play, pause, make one step; and its steps above the lanes.
 * Without a scenario the same buttons hold the messages back, and show them one by one.
 */
import { useRef } from 'react';
import type { PlayScenario, Scenario, ScenarioState } from '../../../api.ts';
import { type ConsoleContext, type PlayPace, paces, useConsole } from '../context.ts';
import { Button, type Option, Select } from '../parts.tsx';

type ChosenScenario = {
  /** Empty: none is chosen. */
  readonly id: string;
  /** Whether a scenario plays, the chosen one or another. */
  readonly isAnyPlaying: boolean;
  /** What `play` and `step` name. Without an id the scenario goes on; with one it begins. */
  readonly target: Pick<PlayScenario, 'id'>;
};

export function chosenScenario({ model, ui }: Pick<ConsoleContext, 'model' | 'ui'>): ChosenScenario {
  const state = model.overview?.scenario;
  const id = ui.scenario || (state?.id ?? '');
  const isBegun = state?.id === id && ['playing', 'paused'].includes(state.phase);
  return { id, isAnyPlaying: state?.phase === 'playing', target: isBegun ? {} : { id } };
}

/** Plays the chosen scenario, or goes on with it. The introduction steps aside, since it covers the lanes. */
export function playChosen(context: ConsoleContext): void {
  const { act, ui, setUi } = context;
  setUi({ tour: false });
  void act.scenario({ do: 'play', ...chosenScenario(context).target, paceMs: paces[ui.pace] });
}

export function stepChosen(context: ConsoleContext): void {
  context.setUi({ tour: false });
  void context.act.scenario({ do: 'step', ...chosenScenario(context).target });
}

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
      options={[['', 'Scenario: by hand'], ...options]}
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

/** The steps of the chosen scenario: all of them before it begins, then the one it stands at. */
export function ScenarioSteps() {
  const context = useConsole();
  const { id } = chosenScenario(context);
  const scenario = context.model.overview?.scenarios.find((each) => each.id === id);
  const state = context.model.overview?.scenario;
  if (!scenario || !state) return null;
  const hasBegun = state.id === id;
  return (
    <section className={`scenario-steps ${hasBegun ? `phase-${state.phase}` : ''}`} aria-label="Scenario">
      <p className="scenario-sentence">{scenario.sentence}</p>
      {hasBegun ? <Progress scenario={scenario} state={state} /> : <Plan scenario={scenario} />}
    </section>
  );
}

function Plan({ scenario }: { scenario: Scenario }) {
  return (
    <>
      <p className="hint">Play empties the demo, switches all trouble off, and makes these steps:</p>
      <StepList scenario={scenario} />
    </>
  );
}

/** @param made how many steps were made; absent: the scenario has not begun */
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
      {isMade && <span className="visually-hidden">{' (done)'}</span>}
    </li>
  );
}

const PHASE_WORDS: Readonly<Record<ScenarioState['phase'], string>> = {
  idle: 'ready',
  playing: 'playing',
  paused: 'paused',
  done: 'done',
  failed: 'failed',
};

function Progress({ scenario: { steps }, state }: { scenario: Scenario; state: ScenarioState }) {
  // A step that failed was not made, and is the one to tell of.
  const hasFailed = state.phase === 'failed';
  const toldStep = state.step + Number(hasFailed);
  const next = hasFailed ? undefined : steps[toldStep];
  return (
    <>
      <p className="row scenario-at">
        <progress max={steps.length} value={state.step} aria-label="Scenario" />
        <b>{`Step ${toldStep} of ${steps.length}`}</b>
        {toldStep > 0 && <span className="scenario-made">{steps[toldStep - 1]}</span>}
        <span className="scenario-phase" role="status">
          {PHASE_WORDS[state.phase] + (state.trouble === undefined ? '' : `: ${state.trouble}`)}
        </span>
      </p>
      {next !== undefined && <p className="scenario-next">{`Next: ${next}`}</p>}
    </>
  );
}
