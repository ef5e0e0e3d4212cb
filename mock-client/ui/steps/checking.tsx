/** The step between signing in and the record, with the ways onward when the EHR server does not answer. */
import { reasonOf } from '../../calls.ts';
import type { Checking } from '../../flow/state.ts';
import { useLanguage } from '../language.tsx';
import { Problem } from '../parts/alert.tsx';
import { Busy, Button } from '../parts/button.tsx';
import { askFor, StepCard, type StepProps } from '../parts/step.tsx';

export function CheckingStep({ step: { problem }, busy, send }: StepProps<Checking>) {
  const { say } = useLanguage();
  const other = { kind: 'secondary', busy } as const;
  // Nothing was typed here that could be corrected: the record that was connected is not there any more.
  const isGone = problem !== undefined && reasonOf(problem) === 'patient_not_matched';
  const instead = isGone ? { title: say('recordGone'), text: say('recordGoneText') } : undefined;
  return (
    <StepCard at="atConnect" title="opening">
      {problem ? (
        <Problem failure={problem} instead={instead}>
          <Button busy={busy} text="tryAgain" onPress={() => send({ type: 'retried' })} />
          {isGone && <Button {...other} text="disconnect" onPress={() => send(askFor('disconnect'))} />}
          <Button {...other} text="logOut" onPress={() => send(askFor('logout'))} />
        </Problem>
      ) : (
        <p className="lead">{say('openingLead')}</p>
      )}
      <Busy when={busy} />
    </StepCard>
  );
}
