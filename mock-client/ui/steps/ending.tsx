/** An ending in progress, what is left to do when a server has not done its part, and the step after it. */
import type { Ended, EndingStep } from '../../flow/state.ts';
import { useLanguage } from '../language.tsx';
import { Problem } from '../parts/alert.tsx';
import { Busy, Button } from '../parts/button.tsx';
import { StepHeading, type StepProps } from '../parts/step.tsx';

export function EndingPage({ step, busy, send }: StepProps<EndingStep>) {
  const { say } = useLanguage();
  const outcome = `${step.ending}${step.ehrDone ? 'AuthFailed' : 'EhrFailed'}` as const;
  const buttons = (
    <>
      <Button
        busy={busy}
        text={step.ehrDone ? `${step.ending}Finish` : 'tryAgain'}
        onPress={() => send({ type: 'retried' })}
      />
      {!step.ehrDone && step.origin && (
        <Button kind="secondary" busy={busy} text="goBack" onPress={() => send({ type: 'went_back' })} />
      )}
    </>
  );
  return (
    <div className="card">
      <StepHeading key={busy ? 'busy' : 'failed'}>{say(busy ? `${step.ending}Busy` : outcome)}</StepHeading>
      {!busy && <p className="lead">{say(`${outcome}Text`)}</p>}
      {!busy && step.problem && <Problem failure={step.problem}>{buttons}</Problem>}
      {!busy && !step.problem && <div className="actions">{buttons}</div>}
      <Busy when={busy} />
    </div>
  );
}

export function EndedStep({ step, send }: Omit<StepProps<Ended>, 'busy'>) {
  const { say } = useLanguage();
  const deleted = step.ending === 'delete';
  const loggedOutText = step.ehrDone ? 'loggedOutText' : 'loggedOutAlone';
  return (
    <div className="card">
      <StepHeading>{say(deleted ? 'deleted' : 'loggedOut')}</StepHeading>
      <p className="lead">{say(deleted ? 'deletedText' : loggedOutText)}</p>
      <div className="actions">
        <Button text="signInAgain" onPress={() => send({ type: 'started_over' })} />
      </div>
    </div>
  );
}
