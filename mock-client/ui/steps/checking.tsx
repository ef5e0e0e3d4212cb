/**
 * The step between signing in and the record: asks the EHR server, and offers ways to continue when it does
 * not answer.
 */
import { reasonOf } from '../../calls.ts';
import type { Checking, UserEvent } from '../../flow/state.ts';
import { useLanguage } from '../language.tsx';
import { Problem } from '../parts/alert.tsx';
import { StepHeading } from '../parts/arrival.tsx';
import { Busy, Button } from '../parts/button.tsx';
import { Progress } from '../parts/progress.tsx';

export type CheckingStepProps = { step: Checking; busy: boolean; send: (event: UserEvent) => void };

export function CheckingStep({ step, busy, send }: CheckingStepProps) {
  const { say } = useLanguage();
  const { problem } = step;
  return (
    <div className="card">
      <Progress at="atConnect" />
      <StepHeading>{say('opening')}</StepHeading>
      {problem ? (
        <Problem failure={problem}>
          <Button busy={busy} onPress={() => send({ type: 'retried' })}>
            {say('tryAgain')}
          </Button>
          {reasonOf(problem) === 'patient_not_matched' && (
            <Button
              kind="secondary"
              busy={busy}
              onPress={() => send({ type: 'ending_asked', ending: 'disconnect' })}
            >
              {say('disconnect')}
            </Button>
          )}
          <Button
            kind="secondary"
            busy={busy}
            onPress={() => send({ type: 'ending_asked', ending: 'logout' })}
          >
            {say('logOut')}
          </Button>
        </Problem>
      ) : (
        <p className="lead">{say('openingLead')}</p>
      )}
      <Busy when={busy}>{say('oneMoment')}</Busy>
    </div>
  );
}
