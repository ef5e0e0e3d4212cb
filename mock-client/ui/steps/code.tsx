/** The second step: typing the code that was sent. */
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import type { Clock } from '#protocol/time/clock.ts';
import type { Failure } from '../../calls.ts';
import { type Mistake, readCode } from '../../flow/form.ts';
import type { Code } from '../../flow/state.ts';
import { failureMessage } from '../../texts/messages.ts';
import type { Language } from '../../texts/texts.ts';
import { showAttribute } from '../format.ts';
import { Sentence, useLanguage } from '../language.tsx';
import { NoticeBox } from '../parts/alert.tsx';
import { Busy, Button } from '../parts/button.tsx';
import { Field, type FixedFieldProps } from '../parts/field.tsx';
import { Icon } from '../parts/icons.tsx';
import { RetryProblem, StepCard, type StepProps } from '../parts/step.tsx';

type CodeStepProps = StepProps<Code> & { smsUrl: string | undefined; clock: Clock };

export function CodeStep(props: CodeStepProps) {
  const { step, busy, send } = props;
  const { language } = useLanguage();
  const [typed, setTyped] = useState('');
  const [mistake, setMistake] = useState<Mistake>();
  const input = useRef<HTMLInputElement>(null);
  const sentTo = useId();
  const wrong = codeError(step.problem, language);

  // Its field is all that the person came for. It takes the focus from the heading, which takes it first.
  useEffect(() => input.current?.focus(), []);

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

  const to = <strong className="keep">{showAttribute(step.attribute)}</strong>;
  const field = { value: typed, onChange: setTyped, error: mistake ?? wrong, inputRef: input, about: sentTo };
  return (
    <StepCard at="atConfirm" title="enterCode">
      <p className="lead" id={sentTo}>
        <Sentence of={step.digits ? 'codeSent' : 'codeSentShort'} values={{ digits: step.digits, to }} />
      </p>
      <NoticeBox notice={step.notice} />
      {step.problem && !wrong && (
        <RetryProblem failure={step.problem} busy={busy} onRetry={() => send({ type: 'retried' })} />
      )}
      <form noValidate onSubmit={submit}>
        <Field {...CODE_FIELD} {...field} />
        <div className="actions">
          <Button busy={busy} text="confirm" />
        </div>
        <Busy when={busy} />
      </form>
      <OtherWays {...props} onAgain={askAgain} />
    </StepCard>
  );
}

const CODE_FIELD: FixedFieldProps = {
  label: 'code',
  name: 'code',
  type: 'text',
  className: 'field-code',
  inputMode: 'numeric',
  autoComplete: 'one-time-code',
  spellCheck: false,
};

/** The ways onward without a code: another code, another address, or the simulated messages. */
function OtherWays({ step, busy, send, smsUrl, clock, onAgain }: CodeStepProps & { onAgain: () => void }) {
  const { say } = useLanguage();
  const seconds = useSecondsUntil(step.resendAt, clock);
  const other = step.attribute.kind === 'phone' ? 'anotherPhone' : 'anotherEmail';
  const link = (
    <a href={smsUrl} target="_blank" rel="noreferrer">
      <span>{say('seeMessages')}</span> <Icon of="external" />
    </a>
  );
  return (
    <div className="aside-actions">
      <p className="hint">{seconds > 0 ? say('nothingArrivedYet', { n: seconds }) : say('nothingArrived')}</p>
      <div className="actions">
        <Button kind="secondary" busy={busy} text="sendNewCode" onPress={onAgain} />
        <Button kind="quiet" busy={busy} text={other} onPress={() => send({ type: 'attribute_changed' })} />
      </div>
      {smsUrl && (
        <p className="hint">
          <Sentence of="noRealMessage" values={{ link }} />
        </p>
      )}
    </div>
  );
}

/** Returns the text of a failure that concerns the code itself. */
function codeError(problem: Failure | undefined, language: Language): string | undefined {
  if (problem?.kind !== 'refused' || problem.reason !== 'otp_wrong') return undefined;
  const { title, text } = failureMessage(problem, language);
  return `${title}. ${text}`;
}

/** Returns the whole seconds left until `time` (milliseconds), down to 0. Returns 0 for no `time`. */
function useSecondsUntil(time: number | undefined, clock: Clock): number {
  const [now, setNow] = useState(() => clock.now());
  const left = time === undefined ? 0 : Math.max(0, Math.ceil((time - now) / 1000));
  useEffect(() => {
    if (left === 0) return undefined;
    return clock.after(1000, () => setNow(clock.now()));
  });
  return left;
}
