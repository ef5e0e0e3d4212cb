/** Where the played scenario stands: its sentence, and the step that comes next. */
import { scenarioIn, stepIn } from '../../texts/texts.ts';
import { useConsole } from '../context.ts';

export function ScenarioSteps() {
  const { model, say, language } = useConsole();
  const state = model.overview?.scenario;
  const scenario = model.overview?.scenarios.find(({ id }) => id === state?.id);
  if (!scenario || !state) return null;
  const { steps } = scenario;
  const { sentence, lang } = scenarioIn(language, scenario);
  const current = stepIn(language, steps[Math.max(0, state.step - 1)] ?? '');
  return (
    <section className={`scenario-steps phase-${state.phase}`} aria-label={say('scenario')}>
      <p lang={lang}>{sentence}</p>
      <p className="row scenario-at">
        <progress max={steps.length} value={state.step} aria-label={say('scenario')} />
        <b>{say('scenarioStep', { n: state.step, all: steps.length })}</b>
        {state.step > 0 && <span lang={current.lang}>{current.text}</span>}
        <span className="scenario-phase" role="status">
          {say(`phase_${state.phase}`) + (state.trouble === undefined ? '' : `: ${state.trouble}`)}
        </span>
      </p>
    </section>
  );
}
