/** What the steps have in common. */
import { createContext, type ReactNode, type RefObject, useContext, useEffect, useRef } from 'react';
import type { Failure } from '../../calls.ts';
import type { Ending, UserEvent } from '../../flow/state.ts';
import { wayAfter } from '../../texts/messages.ts';
import type { TextKey } from '../../texts/texts.ts';
import { useLanguage } from '../language.tsx';
import { Problem } from './alert.tsx';
import { Button } from './button.tsx';

/** A page gets this of the flow: its step, whether a call is pending, and how to go on. */
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

const Arrived = createContext<RefObject<boolean>>({ current: false });

/** `value` tells whether a step was shown before: only a later step takes the focus. */
export function Arrival({ value, children }: { value: RefObject<boolean>; children: ReactNode }) {
  return <Arrived value={value}>{children}</Arrived>;
}

/** The only `h1` of a step. Its `key` must change when the heading stands for a new step. */
export function StepHeading({ children }: { children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const arrived = useContext(Arrived);
  useEffect(() => {
    if (arrived.current) {
      window.scrollTo(0, 0);
      heading.current?.focus();
    }
    arrived.current = true;
  }, [arrived]);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  );
}

const STEPS = ['atSignIn', 'atConfirm', 'atConnect', 'atRecord'] as const;

type ProgressStep = (typeof STEPS)[number];

function Progress({ at }: { at: ProgressStep }) {
  const { say } = useLanguage();
  const current = STEPS.indexOf(at);
  return (
    <nav aria-label={say('progress')}>
      <ol className="progress">
        {STEPS.map((name, index) => (
          <li
            key={name}
            className={
              index < current ? 'progress-done' : index === current ? 'progress-current' : 'progress-next'
            }
            aria-current={index === current ? 'step' : undefined}
          >
            {say(name)}
          </li>
        ))}
      </ol>
    </nav>
  );
}
