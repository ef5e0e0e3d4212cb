/** The first step: a phone number or an e-mail address whose ownership will be confirmed. */
import { type FormEvent, useRef, useState } from 'react';
import { type Mistake, readAttribute } from '../../flow/form.ts';
import type { Attribute, SignIn } from '../../flow/state.ts';
import { showAttribute } from '../format.ts';
import { useLanguage } from '../language.tsx';
import { NoticeBox, Problem } from '../parts/alert.tsx';
import { Busy, Button } from '../parts/button.tsx';
import { Field, type FixedFieldProps } from '../parts/field.tsx';
import { StepCard, type StepProps } from '../parts/step.tsx';

const FIELDS: Readonly<Record<Attribute['kind'], FixedFieldProps>> = {
  phone: {
    label: 'phone',
    hint: 'phoneSignInHint',
    type: 'tel',
    name: 'phone',
    inputMode: 'tel',
    autoComplete: 'tel',
  },
  email: {
    label: 'email',
    type: 'email',
    name: 'email',
    inputMode: 'email',
    autoComplete: 'email',
    spellCheck: false,
    autoCapitalize: 'none',
  },
};

export function SignInPage({ step, busy, send }: StepProps<SignIn>) {
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

  function changeKind() {
    setKind(kind === 'phone' ? 'email' : 'phone');
    setTyped('');
    setError(undefined);
    input.current?.focus();
  }

  const field = { ...FIELDS[kind], value: typed, onChange: setTyped, error, inputRef: input };
  return (
    <StepCard at="atSignIn" title="signIn">
      <p className="lead">{say('signInLead')}</p>
      <NoticeBox notice={step.notice} />
      {step.problem && <Problem failure={step.problem} />}
      <form noValidate onSubmit={submit}>
        <Field {...field} key={kind} />
        <div className="actions">
          <Button busy={busy} text="sendCode" />
          <Button kind="quiet" text={kind === 'phone' ? 'useEmail' : 'usePhone'} onPress={changeKind} />
        </div>
        <Busy when={busy} text="sendingCode" />
      </form>
    </StepCard>
  );
}
