/** The step after an ending: what has ended, and how to start again. */
import type { Ended } from '../../flow/state.ts';
import { useLanguage } from '../language.tsx';
import { StepHeading } from '../parts/arrival.tsx';
import { Button } from '../parts/button.tsx';
import type { StepProps } from '../parts/step.tsx';

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
