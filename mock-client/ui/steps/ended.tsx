/** The step after an ending: what has ended, and how to start again. */
import type { Ended, UserEvent } from '../../flow/state.ts';
import { StepHeading } from '../parts/arrival.tsx';
import { Button } from '../parts/button.tsx';

export function EndedStep({ step, send }: { step: Ended; send: (event: UserEvent) => void }) {
  const deleted = step.ending === 'delete';
  return (
    <div className="card">
      <StepHeading>{deleted ? 'Your data is deleted' : 'You are logged out'}</StepHeading>
      <p className="lead">
        {deleted
          ? 'Your records are disconnected, and the sign-in server has deleted your account. Your record is still at your clinic.'
          : 'Your records stay connected to your account: next time, a code is all you need.'}
      </p>
      <div className="actions">
        <Button onPress={() => send({ type: 'started_over' })}>Sign in again</Button>
      </div>
    </div>
  );
}
