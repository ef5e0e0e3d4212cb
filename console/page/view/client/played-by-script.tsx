/** In the place of the client while a scenario is played: that a script does it, how far, and the way on. */
import { texts } from '../../texts.ts';
import { useConsole } from '../context.ts';
import { StepList } from '../controls/scenario-steps.tsx';
import { Button } from '../parts/button.tsx';

export function PlayedByScript() {
  const { model, act, setUi } = useConsole();
  const state = model.overview?.scenario;
  const scenario = model.overview?.scenarios.find(({ id }) => id === state?.id);

  function takeOver() {
    setUi({ scenario: '' });
    void act.takeOver();
  }

  return (
    <section className="by-script" aria-label={texts.byScript}>
      <h2>{texts.byScript}</h2>
      <p>{texts.byScriptText}</p>
      <p>
        <Button className="btn btn-primary" text={texts.takeOver} onClick={takeOver} />
      </p>
      {scenario && state && <StepList scenario={scenario} made={state.step} />}
    </section>
  );
}
