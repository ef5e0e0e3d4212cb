/** The first step: a phone number or an e-mail address whose ownership will be confirmed. */
import { type FormEvent, useRef, useState } from 'react';
import { readAttribute } from '../../flow/form.ts';
import type { Attribute, SignIn, UserEvent } from '../../flow/state.ts';
import { showAttribute } from '../format.ts';
import { NoticeBox, Problem } from '../parts/alert.tsx';
import { StepHeading } from '../parts/arrival.tsx';
import { Busy, Button } from '../parts/button.tsx';
import { Field, type FieldProps } from '../parts/field.tsx';
import { Progress } from '../parts/progress.tsx';

export type SignInPageProps = { step: SignIn; busy: boolean; send: (event: UserEvent) => void };

export function SignInPage({ step, busy, send }: SignInPageProps) {
  const [kind, setKind] = useState(step.attribute.kind);
  const [typed, setTyped] = useState(step.attribute.value && showAttribute(step.attribute));
  const [error, setError] = useState<string>();
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
      <Progress at="Sign in" />
      <StepHeading>Sign in</StepHeading>
      <p className="lead">We will send you a code to make sure it is you. No password is needed.</p>
      <NoticeBox notice={step.notice} />
      {step.problem && <Problem failure={step.problem} />}
      <form noValidate onSubmit={submit}>
        {kind === 'phone' ? <PhoneField {...shared} key="phone" /> : <EmailField {...shared} key="email" />}
        <div className="actions">
          <Button submit busy={busy}>
            Send code
          </Button>
          <Button kind="quiet" onPress={() => change(kind === 'phone' ? 'email' : 'phone')}>
            {kind === 'phone' ? 'Use an e-mail address instead' : 'Use a phone number instead'}
          </Button>
        </div>
        <Busy when={busy}>Sending the code…</Busy>
      </form>
    </div>
  );
}

type AttributeFieldProps = Pick<FieldProps, 'value' | 'onChange' | 'error' | 'inputRef'>;

function PhoneField(props: AttributeFieldProps) {
  return (
    <Field
      {...props}
      label="Phone number"
      type="tel"
      name="phone"
      inputMode="tel"
      autoComplete="tel"
      hint="With country code, for example +7 999 000-00-01"
    />
  );
}

function EmailField(props: AttributeFieldProps) {
  return (
    <Field
      {...props}
      label="E-mail address"
      type="email"
      name="email"
      inputMode="email"
      autoComplete="email"
      spellCheck={false}
      autoCapitalize="none"
    />
  );
}
