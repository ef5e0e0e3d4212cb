/** What the steps have in common. */
import type { ReactNode } from 'react';
import type { Failure } from '../../calls.ts';
import type { Ending, UserEvent } from '../../flow/state.ts';
import { wayAfter } from '../../texts/messages.ts';
import type { TextKey } from '../../texts/texts.ts';
import { useLanguage } from '../language.tsx';
import { Problem } from './alert.tsx';
import { StepHeading } from './arrival.tsx';
import { Button } from './button.tsx';
import { Progress, type ProgressStep } from './progress.tsx';

/** What a page is given of the flow: its step, whether a call is pending, and how to go on. */
export type StepProps<Step> = { step: Step; busy: boolean; send: (event: UserEvent) => void };

/** A step on the way to the record. */
export function StepCard({ at, title, children }: { at: ProgressStep; title: TextKey; children: ReactNode }) {
  const { say } = useLanguage();
  return (
    <div className="card">
      <Progress at={at} />
      <StepHeading>{say(title)}</StepHeading>
      {children}
    </div>
  );
}

export const askFor = (ending: Ending): UserEvent => ({ type: 'ending_asked', ending });

/** A problem that goes away, perhaps, when the same is tried again. */
export function RetryProblem(props: { failure: Failure; busy: boolean; onRetry: () => void }) {
  const { failure, busy, onRetry } = props;
  return (
    <Problem failure={failure}>
      {wayAfter(failure) === 'retry' && <Button busy={busy} text="tryAgain" onPress={onRetry} />}
    </Problem>
  );
}
