/** The chosen scenario: its sentence and its steps before it starts, then how far it is, and what is next. */
import type { Scenario, ScenarioState } from '../../../api.ts';
import { scenarioIn, stepIn } from '../../texts/texts.ts';
import { chosenScenario } from '../chosen-scenario.ts';
import { useConsole } from '../context.ts';

export function ScenarioSteps() {
  const console = useConsole();
  const { model, say, language } = console;
  const { id } = chosenScenario(console);
  const scenario = model.overview?.scenarios.find((each) => each.id === id);
  const state = model.overview?.scenario;
  if (!scenario || !state) return null;
  const hasBegun = state.id === id;
  const { sentence, lang } = scenarioIn(language, scenario);
  return (
    <section
      className={`scenario-steps ${hasBegun ? `phase-${state.phase}` : ''}`}
      aria-label={say('scenario')}
    >
      <p className="scenario-sentence" lang={lang}>
        {sentence}
      </p>
      {hasBegun ? <Standing scenario={scenario} state={state} /> : <Plan scenario={scenario} />}
    </section>
  );
}

function Plan({ scenario }: { scenario: Scenario }) {
  const { say } = useConsole();
  return (
    <>
      <p className="hint">{say('playEmpties')}</p>
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

function Step({ text: english, isMade, isNext }: { text: string; isMade: boolean; isNext: boolean }) {
  const { say, language } = useConsole();
  const { text, lang } = stepIn(language, english);
  const place = isMade ? 'is-made' : isNext ? 'is-next' : '';
  return (
    <li className={place} lang={lang} aria-current={isNext ? 'step' : undefined}>
      <span>{text}</span>
      {isMade && <span className="visually-hidden">{` (${say('stepMade')})`}</span>}
    </li>
  );
}

function Standing({ scenario: { steps }, state }: { scenario: Scenario; state: ScenarioState }) {
  const { say, language } = useConsole();
  // A step that failed was not made, and is the one to tell of.
  const hasFailed = state.phase === 'failed';
  const at = state.step + Number(hasFailed);
  const told = stepIn(language, steps[at - 1] ?? '');
  const next = stepIn(language, hasFailed ? '' : (steps[at] ?? ''));
  return (
    <>
      <p className="row scenario-at">
        <progress max={steps.length} value={state.step} aria-label={say('scenario')} />
        <b>{say('scenarioStep', { n: at, all: steps.length })}</b>
        {at > 0 && (
          <span className="scenario-made" lang={told.lang}>
            {told.text}
          </span>
        )}
        <span className="scenario-phase" role="status">
          {say(`phase_${state.phase}`) + (state.trouble === undefined ? '' : `: ${state.trouble}`)}
        </span>
      </p>
      {next.text !== '' && (
        <p className="scenario-next" lang={next.lang}>
          {say('nextStep', { step: next.text })}
        </p>
      )}
    </>
  );
}
