/** An ending in progress, and what is left to do when one of the two servers has not done its part. */
import type { EndingStep } from '../../flow/state.ts';
import { endingTexts } from '../../texts/endings.ts';
import { textIn } from '../../texts/language.ts';
import { useLanguage } from '../language.tsx';
import { Problem } from '../parts/alert.tsx';
import { StepHeading } from '../parts/arrival.tsx';
import { Busy, Button } from '../parts/button.tsx';
import type { StepProps } from '../parts/step.tsx';

const FINISH = { logout: 'finishLogout', disconnect: 'finishDisconnect', delete: 'finishDelete' } as const;

export function EndingPage({ step, busy, send }: StepProps<EndingStep>) {
  const { language } = useLanguage();
  const texts = endingTexts[step.ending];
  const outcome = step.ehrDone ? texts.authFailed : texts.ehrFailed;
  const buttons = (
    <>
      <Button
        busy={busy}
        text={step.ehrDone ? FINISH[step.ending] : 'tryAgain'}
        onPress={() => send({ type: 'retried' })}
      />
      {!step.ehrDone && step.origin && (
        <Button kind="secondary" busy={busy} text="goBack" onPress={() => send({ type: 'went_back' })} />
      )}
    </>
  );
  return (
    <div className="card">
      <StepHeading key={busy ? 'busy' : 'failed'}>
        {textIn(language, busy ? texts.busy : outcome.title)}
      </StepHeading>
      {!busy && <p className="lead">{textIn(language, outcome.text)}</p>}
      {!busy && step.problem && <Problem failure={step.problem}>{buttons}</Problem>}
      {!busy && !step.problem && <div className="actions">{buttons}</div>}
      <Busy when={busy} />
    </div>
  );
}
