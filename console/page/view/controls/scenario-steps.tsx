/** The steps of the chosen scenario: all of them before it begins, then the one it stands at. */
import type { Scenario, ScenarioState } from '../../../api.ts';
import { chosenScenario } from '../chosen-scenario.ts';
import { useConsole } from '../context.ts';

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
