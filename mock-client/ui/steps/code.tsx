/** The second step: typing the code that was sent. */
import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { Clock } from '#protocol/time/clock.ts';
import type { Failure } from '../../calls.ts';
import { readCode } from '../../flow/form.ts';
import type { Code, UserEvent } from '../../flow/state.ts';
import { failureMessage } from '../../messages.ts';
import { showAttribute } from '../format.ts';
import { NoticeBox, Problem } from '../parts/alert.tsx';
import { StepHeading } from '../parts/arrival.tsx';
import { Busy, Button } from '../parts/button.tsx';
import { Field, type FieldProps } from '../parts/field.tsx';
import { Icon } from '../parts/icons.tsx';
import { Progress } from '../parts/progress.tsx';
import { useSecondsUntil } from '../parts/use-seconds-until.ts';

export type CodeStepProps = {
  step: Code;
  busy: boolean;
  send: (event: UserEvent) => void;
  smsUrl: string | undefined;
  clock: Clock;
};

export function CodeStep({ step, busy, send, smsUrl, clock }: CodeStepProps) {
  const [typed, setTyped] = useState('');
  const [mistake, setMistake] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  const wrong = codeError(step.problem);

  // An error about the code belongs to its field. The digits are selected, to be typed again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a repeated error has the same text
  useEffect(() => {
    if (wrong) input.current?.select();
  }, [wrong, step.problem]);

  function submit(event: FormEvent) {
    event.preventDefault();
    const read = readCode(typed, step.digits);
    setMistake(read.ok ? undefined : read.error);
    if (read.ok) send({ type: 'code_submitted', code: read.value });
    else input.current?.focus();
  }

  function askAgain() {
    setTyped('');
    setMistake(undefined);
    input.current?.focus();
    send({ type: 'new_code_asked' });
  }

  return (
    <div className="card">
      <Progress at="Confirm" />
      <StepHeading>Enter the code</StepHeading>
      <p className="lead">
        We sent {step.digits ? `${step.digits} digits` : 'a code'} to{' '}
        <strong className="keep">{showAttribute(step.attribute)}</strong>.
      </p>
      <NoticeBox notice={step.notice} />
      {step.problem && !wrong && <CodeProblem failure={step.problem} busy={busy} send={send} />}
      <form noValidate onSubmit={submit}>
        <CodeField value={typed} onChange={setTyped} error={mistake ?? wrong} inputRef={input} />
        <div className="actions">
          <Button submit busy={busy}>
            Confirm
          </Button>
        </div>
        <Busy when={busy}>One moment…</Busy>
      </form>
      <OtherWays step={step} busy={busy} send={send} smsUrl={smsUrl} clock={clock} onAgain={askAgain} />
    </div>
  );
}

function CodeField(props: Pick<FieldProps, 'value' | 'onChange' | 'error' | 'inputRef'>) {
  return (
    <Field
      {...props}
      className="field-code"
      label="Code"
      name="code"
      type="text"
      inputMode="numeric"
      autoComplete="one-time-code"
      spellCheck={false}
    />
  );
}

/** The ways onward without a code: another code, another address, or the simulated messages. */
function OtherWays({ step, busy, send, smsUrl, clock, onAgain }: CodeStepProps & { onAgain: () => void }) {
  const seconds = useSecondsUntil(step.resendAt, clock);
  const { kind } = step.attribute;
  return (
    <div className="aside-actions">
      <p className="hint">
        {seconds > 0 ? `Nothing arrived? You can ask for another code in ${seconds} s.` : 'Nothing arrived?'}
      </p>
      <div className="actions">
        <Button kind="secondary" busy={busy} onPress={onAgain}>
          Send a new code
        </Button>
        <Button kind="quiet" busy={busy} onPress={() => send({ type: 'attribute_changed' })}>
          {kind === 'phone' ? 'Use another phone number' : 'Use another e-mail address'}
        </Button>
      </div>
      {smsUrl && (
        <p className="hint">
          In this demonstration no message leaves the machine:{' '}
          <a href={smsUrl} target="_blank" rel="noreferrer">
            see the simulated messages <Icon of="external" />
          </a>
        </p>
      )}
    </div>
  );
}

function CodeProblem({ failure, busy, send }: { failure: Failure; busy: boolean; send: (event: UserEvent) => void }) {
  return (
    <Problem failure={failure}>
      {failureMessage(failure).way === 'retry' && (
        <Button busy={busy} onPress={() => send({ type: 'retried' })}>
          Try again
        </Button>
      )}
    </Problem>
  );
}

/** Returns the text of a failure that concerns the code itself. */
function codeError(problem: Failure | undefined): string | undefined {
  if (problem?.kind !== 'refused' || problem.reason !== 'otp_wrong') return undefined;
  const { title, text } = failureMessage(problem);
  return `${title}. ${text}`;
}
