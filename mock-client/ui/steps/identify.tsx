/** The identification form: data that only the EHR server may learn. */
import { type FormEvent, useRef, useState } from 'react';
import type { Clock } from '#protocol/time/clock.ts';
import { type DraftErrors, type DraftFields, dayOf, draftFields, readDraft } from '../../flow/form.ts';
import type { Identify } from '../../flow/state.ts';
import { showAttribute } from '../format.ts';
import { useLanguage } from '../language.tsx';
import { NoticeBox } from '../parts/alert.tsx';
import { Busy, Button } from '../parts/button.tsx';
import { Field, type FixedFieldProps, SelectField } from '../parts/field.tsx';
import { Icon } from '../parts/icons.tsx';
import { askFor, RetryProblem, StepCard, type StepProps } from '../parts/step.tsx';

type IdentifyStepProps = StepProps<Identify> & { clock: Clock };

export function IdentifyStep({ step, busy, send, clock }: IdentifyStepProps) {
  const { say } = useLanguage();
  const [typed, setTyped] = useState<DraftFields>(() => fieldsOf(step));
  const [errors, setErrors] = useState<DraftErrors>({});
  const form = useRef<HTMLFormElement>(null);
  const today = dayOf(clock.now());
  const change = (to: Partial<DraftFields>) => setTyped((before) => ({ ...before, ...to }));

  // "Try again" also sends what the form contains now.
  function submit(event?: FormEvent) {
    event?.preventDefault();
    const read = readDraft(typed, today);
    setErrors(read.ok ? {} : read.errors);
    if (read.ok) send({ type: 'form_submitted', draft: read.value, at: clock.now() });
    else form.current?.querySelector<HTMLElement>(`[name="${Object.keys(read.errors)[0]}"]`)?.focus();
  }

  function changeStrategy(strategy: DraftFields['strategy']) {
    change({ strategy });
    setErrors({});
  }

  return (
    <StepCard at="atConnect" title="findRecord">
      <p className="lead">{say('findRecordLead')}</p>
      <NoticeBox notice={step.notice} />
      {step.problem && <RetryProblem failure={step.problem} busy={busy} onRetry={() => submit()} />}
      <form noValidate onSubmit={submit} ref={form} aria-label={say('yourDetails')}>
        <IdentifyFields {...{ typed, errors, today }} onChange={change} onStrategy={changeStrategy} />
        <p className="promise">
          <Icon of="shield" />
          <span>{say('secrecy')}</span>
        </p>
        <div className="actions">
          <Button busy={busy} text="findIt" />
          <Button kind="secondary" busy={busy} text="logOut" onPress={() => send(askFor('logout'))} />
        </div>
        <Busy when={busy} text="looking" />
      </form>
    </StepCard>
  );
}

/** Returns what was typed, or the phone of the sign-in alone: for most patients the clinic knows that one. */
function fieldsOf({ attribute, draft }: Identify): DraftFields {
  if (draft) return draftFields(draft);
  const phone = attribute.kind === 'phone' ? showAttribute(attribute) : '';
  return { strategy: 'PHONE', name: '', surname: '', date: '', gender: '', phone, medCardId: '' };
}

type IdentifyFieldsProps = {
  typed: DraftFields;
  errors: DraftErrors;
  /** `YYYY-MM-DD`: the latest possible date of birth. */
  today: string;
  onChange: (change: Partial<DraftFields>) => void;
  onStrategy: (strategy: DraftFields['strategy']) => void;
};

type TextField = Exclude<keyof DraftFields, 'strategy' | 'gender'>;

const FIELDS: Readonly<Record<TextField, FixedFieldProps>> = {
  name: { label: 'name', autoComplete: 'given-name' },
  surname: { label: 'surname', autoComplete: 'family-name' },
  date: { label: 'born', type: 'date', autoComplete: 'bday', min: '1850-01-01' },
  medCardId: {
    label: 'cardNumber',
    hint: 'cardHint',
    autoComplete: 'off',
    spellCheck: false,
    autoCapitalize: 'characters',
  },
  phone: { label: 'phone', type: 'tel', inputMode: 'tel', autoComplete: 'tel', hint: 'phoneClinicHint' },
};

const STRATEGIES = [
  ['PHONE', 'byDetails'],
  ['MEDCARD', 'byCard'],
] as const;

const GENDER_OPTIONS = [
  ['', 'notStated'],
  ['1', 'female'],
  ['0', 'male'],
  ['2', 'otherGender'],
  ['3', 'recordedUnknown'],
] as const;

type TypedFieldProps = Pick<IdentifyFieldsProps, 'typed' | 'errors' | 'onChange'> & {
  of: TextField;
  max?: string;
};

function TypedField({ of, typed, errors, onChange, max }: TypedFieldProps) {
  return (
    <Field
      {...FIELDS[of]}
      {...(max !== undefined && { max })}
      name={of}
      value={typed[of]}
      error={errors[of]}
      onChange={(value) => onChange({ [of]: value })}
    />
  );
}

function IdentifyFields({ today, onStrategy, ...fields }: IdentifyFieldsProps) {
  const { say } = useLanguage();
  const { typed, onChange } = fields;
  return (
    <>
      <fieldset className="choice">
        <legend>{say('findBy')}</legend>
        {STRATEGIES.map(([strategy, text]) => (
          <label key={strategy}>
            <input
              type="radio"
              name="strategy"
              value={strategy}
              checked={typed.strategy === strategy}
              onChange={() => onStrategy(strategy)}
            />
            <span>{say(text)}</span>
          </label>
        ))}
      </fieldset>
      {typed.strategy === 'PHONE' ? (
        <>
          <div className="pair">
            <TypedField of="name" {...fields} />
            <TypedField of="surname" {...fields} />
          </div>
          <div className="pair">
            <TypedField of="date" {...fields} max={today} />
            <SelectField
              label="genderOptional"
              name="gender"
              autoComplete="sex"
              value={typed.gender}
              options={GENDER_OPTIONS}
              onChange={(gender) => onChange({ gender })}
            />
          </div>
        </>
      ) : (
        <TypedField of="medCardId" {...fields} />
      )}
      <TypedField of="phone" {...fields} />
    </>
  );
}
