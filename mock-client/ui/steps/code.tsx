/** The second step: typing the code that was sent. */
import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { Clock } from '#protocol/time/clock.ts';
import type { Failure } from '../../calls.ts';
import { type Mistake, readCode } from '../../flow/form.ts';
import type { Code, UserEvent } from '../../flow/state.ts';
import { failureMessage, wayAfter } from '../../messages.ts';
import type { Language } from '../../texts/language.ts';
import { showAttribute } from '../format.ts';
import { Sentence, useLanguage } from '../language.tsx';
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
  const { say, language } = useLanguage();
  const [typed, setTyped] = useState('');
  const [mistake, setMistake] = useState<Mistake>();
  const input = useRef<HTMLInputElement>(null);
  const wrong = codeError(step.problem, language);

  // An error about the code belongs to its field. The digits are selected, to be typed again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a repeated error has the same text
  useEffect(() => {
    if (wrong) input.current?.select();
  }, [wrong !== undefined, step.problem]);

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
      <Progress at="atConfirm" />
      <StepHeading>{say('enterCode')}</StepHeading>
      <p className="lead">
        <Sentence
          of={step.digits ? 'codeSent' : 'codeSentShort'}
          values={{
            digits: step.digits,
            to: <strong className="keep">{showAttribute(step.attribute)}</strong>,
          }}
        />
      </p>
      <NoticeBox notice={step.notice} />
      {step.problem && !wrong && <CodeProblem failure={step.problem} busy={busy} send={send} />}
      <form noValidate onSubmit={submit}>
        <CodeField value={typed} onChange={setTyped} error={mistake ?? wrong} inputRef={input} />
        <div className="actions">
          <Button submit busy={busy}>
            {say('confirm')}
          </Button>
        </div>
        <Busy when={busy}>{say('oneMoment')}</Busy>
      </form>
      <OtherWays step={step} busy={busy} send={send} smsUrl={smsUrl} clock={clock} onAgain={askAgain} />
    </div>
  );
}

function CodeField(props: Pick<FieldProps, 'value' | 'onChange' | 'error' | 'inputRef'>) {
  const { say } = useLanguage();
  return (
    <Field
      {...props}
      className="field-code"
      label={say('code')}
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
  const { say } = useLanguage();
  const seconds = useSecondsUntil(step.resendAt, clock);
  const { kind } = step.attribute;
  return (
    <div className="aside-actions">
      <p className="hint">{seconds > 0 ? say('nothingArrivedYet', { n: seconds }) : say('nothingArrived')}</p>
      <div className="actions">
        <Button kind="secondary" busy={busy} onPress={onAgain}>
          {say('sendNewCode')}
        </Button>
        <Button kind="quiet" busy={busy} onPress={() => send({ type: 'attribute_changed' })}>
          {say(kind === 'phone' ? 'anotherPhone' : 'anotherEmail')}
        </Button>
      </div>
      {smsUrl && (
        <p className="hint">
          <Sentence
            of="noRealMessage"
            values={{
              link: (
                <a href={smsUrl} target="_blank" rel="noreferrer">
                  <span>{say('seeMessages')}</span> <Icon of="external" />
                </a>
              ),
            }}
          />
        </p>
      )}
    </div>
  );
}

function CodeProblem({
  failure,
  busy,
  send,
}: {
  failure: Failure;
  busy: boolean;
  send: (event: UserEvent) => void;
}) {
  const { say } = useLanguage();
  return (
    <Problem failure={failure}>
      {wayAfter(failure) === 'retry' && (
        <Button busy={busy} onPress={() => send({ type: 'retried' })}>
          {say('tryAgain')}
        </Button>
      )}
    </Problem>
  );
}

/** Returns the text of a failure that concerns the code itself. */
function codeError(problem: Failure | undefined, language: Language): string | undefined {
  if (problem?.kind !== 'refused' || problem.reason !== 'otp_wrong') return undefined;
  const { title, text } = failureMessage(problem, language);
  return `${title}. ${text}`;
}
