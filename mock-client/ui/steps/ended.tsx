/** The step after an ending: what has ended, and how to start again. */
import type { Ended, UserEvent } from '../../flow/state.ts';
import { useLanguage } from '../language.tsx';
import { StepHeading } from '../parts/arrival.tsx';
import { Button } from '../parts/button.tsx';

export function EndedStep({ step, send }: { step: Ended; send: (event: UserEvent) => void }) {
  const { say } = useLanguage();
  const deleted = step.ending === 'delete';
  return (
    <div className="card">
      <StepHeading>{say(deleted ? 'deleted' : 'loggedOut')}</StepHeading>
      <p className="lead">{say(deleted ? 'deletedText' : 'loggedOutText')}</p>
      <div className="actions">
        <Button onPress={() => send({ type: 'started_over' })}>{say('signInAgain')}</Button>
      </div>
    </div>
  );
}
