/**
 * The step between signing in and the record: asks the EHR server, and offers ways to continue when it does
 * not answer.
 */
import { reasonOf } from '../../calls.ts';
import type { Checking, UserEvent } from '../../flow/state.ts';
import { Problem } from '../parts/alert.tsx';
import { StepHeading } from '../parts/arrival.tsx';
import { Busy, Button } from '../parts/button.tsx';
import { Progress } from '../parts/progress.tsx';

export type CheckingStepProps = { step: Checking; busy: boolean; send: (event: UserEvent) => void };

export function CheckingStep({ step, busy, send }: CheckingStepProps) {
  const { problem } = step;
  return (
    <div className="card">
      <Progress at="Connect" />
      <StepHeading>Opening your record</StepHeading>
      {problem ? (
        <Problem failure={problem}>
          <Button busy={busy} onPress={() => send({ type: 'retried' })}>
            Try again
          </Button>
          {reasonOf(problem) === 'patient_not_matched' && (
            <Button kind="secondary" busy={busy} onPress={() => send({ type: 'ending_asked', ending: 'disconnect' })}>
              Disconnect records
            </Button>
          )}
          <Button kind="secondary" busy={busy} onPress={() => send({ type: 'ending_asked', ending: 'logout' })}>
            Log out
          </Button>
        </Problem>
      ) : (
        <p className="lead">We are asking the records server for it.</p>
      )}
      <Busy when={busy}>One moment…</Busy>
    </div>
  );
}
