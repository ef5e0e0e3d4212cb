/** The first step: a phone number or an e-mail address whose ownership will be confirmed. */
import { type FormEvent, useRef, useState } from 'react';
import { type Mistake, readAttribute } from '../../flow/form.ts';
import type { Attribute, SignIn, UserEvent } from '../../flow/state.ts';
import { showAttribute } from '../format.ts';
import { useLanguage } from '../language.tsx';
import { NoticeBox, Problem } from '../parts/alert.tsx';
import { StepHeading } from '../parts/arrival.tsx';
import { Busy, Button } from '../parts/button.tsx';
import { Field, type FieldProps } from '../parts/field.tsx';
import { Progress } from '../parts/progress.tsx';

export type SignInPageProps = { step: SignIn; busy: boolean; send: (event: UserEvent) => void };

export function SignInPage({ step, busy, send }: SignInPageProps) {
  const { say } = useLanguage();
  const [kind, setKind] = useState(step.attribute.kind);
  const [typed, setTyped] = useState(step.attribute.value && showAttribute(step.attribute));
  const [error, setError] = useState<Mistake>();
  const input = useRef<HTMLInputElement>(null);

  function submit(event: FormEvent) {
    event.preventDefault();
    const read = readAttribute(kind, typed);
    setError(read.ok ? undefined : read.error);
    if (read.ok) send({ type: 'attribute_submitted', attribute: read.value });
    else input.current?.focus();
  }

  function change(to: Attribute['kind']) {
    setKind(to);
    setTyped('');
    setError(undefined);
    input.current?.focus();
  }

  const shared = { value: typed, onChange: setTyped, error, inputRef: input };
  return (
    <div className="card">
      <Progress at="atSignIn" />
      <StepHeading>{say('signIn')}</StepHeading>
      <p className="lead">{say('signInLead')}</p>
      <NoticeBox notice={step.notice} />
      {step.problem && <Problem failure={step.problem} />}
      <form noValidate onSubmit={submit}>
        {kind === 'phone' ? <PhoneField {...shared} key="phone" /> : <EmailField {...shared} key="email" />}
        <div className="actions">
          <Button submit busy={busy}>
            {say('sendCode')}
          </Button>
          <Button kind="quiet" onPress={() => change(kind === 'phone' ? 'email' : 'phone')}>
            {say(kind === 'phone' ? 'useEmail' : 'usePhone')}
          </Button>
        </div>
        <Busy when={busy}>{say('sendingCode')}</Busy>
      </form>
    </div>
  );
}

type AttributeFieldProps = Pick<FieldProps, 'value' | 'onChange' | 'error' | 'inputRef'>;

function PhoneField(props: AttributeFieldProps) {
  const { say } = useLanguage();
  return (
    <Field
      {...props}
      label={say('phone')}
      type="tel"
      name="phone"
      inputMode="tel"
      autoComplete="tel"
      hint={say('phoneSignInHint')}
    />
  );
}

function EmailField(props: AttributeFieldProps) {
  const { say } = useLanguage();
  return (
    <Field
      {...props}
      label={say('email')}
      type="email"
      name="email"
      inputMode="email"
      autoComplete="email"
      spellCheck={false}
      autoCapitalize="none"
    />
  );
}
