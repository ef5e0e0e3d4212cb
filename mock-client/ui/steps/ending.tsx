/** An ending in progress, and what is left to do when one of the two servers has not done its part. */
import type { EndingStep, UserEvent } from '../../flow/state.ts';
import { endingWords } from '../../notices.ts';
import { Problem } from '../parts/alert.tsx';
import { StepHeading } from '../parts/arrival.tsx';
import { Busy, Button } from '../parts/button.tsx';

export type EndingPageProps = { step: EndingStep; busy: boolean; send: (event: UserEvent) => void };

export function EndingPage({ step, busy, send }: EndingPageProps) {
  const words = endingWords[step.ending];
  const outcome = step.ehrDone ? words.authFailed : words.ehrFailed;
  const buttons = (
    <>
      <Button busy={busy} onPress={() => send({ type: 'retried' })}>
        {step.ehrDone ? words.authFailed.finish : 'Try again'}
      </Button>
      {!step.ehrDone && step.origin && (
        <Button kind="secondary" busy={busy} onPress={() => send({ type: 'went_back' })}>
          Go back
        </Button>
      )}
    </>
  );
  return (
    <div className="card">
      <StepHeading key={busy ? 'busy' : 'failed'}>{busy ? words.busy : outcome.title}</StepHeading>
      {!busy && <p className="lead">{outcome.text}</p>}
      {!busy && step.problem && <Problem failure={step.problem}>{buttons}</Problem>}
      {!busy && !step.problem && <div className="actions">{buttons}</div>}
      <Busy when={busy}>One moment…</Busy>
    </div>
  );
}
