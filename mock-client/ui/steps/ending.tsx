/** An ending in progress, and what is left to do when one of the two servers has not done its part. */
import type { EndingStep, UserEvent } from '../../flow/state.ts';
import { endingTexts } from '../../texts/endings.ts';
import { textIn } from '../../texts/language.ts';
import { useLanguage } from '../language.tsx';
import { Problem } from '../parts/alert.tsx';
import { StepHeading } from '../parts/arrival.tsx';
import { Busy, Button } from '../parts/button.tsx';

export type EndingPageProps = { step: EndingStep; busy: boolean; send: (event: UserEvent) => void };

export function EndingPage({ step, busy, send }: EndingPageProps) {
  const { say, language } = useLanguage();
  const texts = endingTexts[step.ending];
  const outcome = step.ehrDone ? texts.authFailed : texts.ehrFailed;
  const buttons = (
    <>
      <Button busy={busy} onPress={() => send({ type: 'retried' })}>
        {step.ehrDone ? textIn(language, texts.authFailed.finish) : say('tryAgain')}
      </Button>
      {!step.ehrDone && step.origin && (
        <Button kind="secondary" busy={busy} onPress={() => send({ type: 'went_back' })}>
          {say('goBack')}
        </Button>
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
      <Busy when={busy}>{say('oneMoment')}</Busy>
    </div>
  );
}
