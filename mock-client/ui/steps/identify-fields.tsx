/** The fields of the identification form, by name or by card. */
import type { DraftErrors, DraftFields } from '../../flow/form.ts';
import { useLanguage } from '../language.tsx';
import { Field, SelectField } from '../parts/field.tsx';

export type IdentifyFieldsProps = {
  typed: DraftFields;
  errors: DraftErrors;
  /** `YYYY-MM-DD`: the latest possible date of birth. */
  today: string;
  onChange: (change: Partial<DraftFields>) => void;
  onStrategy: (strategy: DraftFields['strategy']) => void;
};

export function IdentifyFields({ typed, errors, today, onChange, onStrategy }: IdentifyFieldsProps) {
  const { say } = useLanguage();
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
        <PersonFields typed={typed} errors={errors} today={today} onChange={onChange} />
      ) : (
        <Field
          label={say('cardNumber')}
          name="medCardId"
          autoComplete="off"
          spellCheck={false}
          autoCapitalize="characters"
          hint={say('cardHint')}
          value={typed.medCardId}
          error={errors.medCardId}
          onChange={(medCardId) => onChange({ medCardId })}
        />
      )}
      <Field
        label={say('phone')}
        name="phone"
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        hint={say('phoneClinicHint')}
        value={typed.phone}
        error={errors.phone}
        onChange={(phone) => onChange({ phone })}
      />
    </>
  );
}

/** The fields that identify a patient by personal details. */
function PersonFields({ typed, errors, today, onChange }: Omit<IdentifyFieldsProps, 'onStrategy'>) {
  const { say } = useLanguage();
  return (
    <>
      <div className="pair">
        <Field
          label={say('name')}
          name="name"
          autoComplete="given-name"
          value={typed.name}
          error={errors.name}
          onChange={(name) => onChange({ name })}
        />
        <Field
          label={say('surname')}
          name="surname"
          autoComplete="family-name"
          value={typed.surname}
          error={errors.surname}
          onChange={(surname) => onChange({ surname })}
        />
      </div>
      <div className="pair">
        <Field
          label={say('born')}
          name="date"
          type="date"
          autoComplete="bday"
          min="1850-01-01"
          max={today}
          value={typed.date}
          error={errors.date}
          onChange={(date) => onChange({ date })}
        />
        <SelectField
          label={say('genderOptional')}
          name="gender"
          autoComplete="sex"
          value={typed.gender}
          options={GENDER_OPTIONS.map(([value, text]) => [value, say(text)])}
          onChange={(gender) => onChange({ gender })}
        />
      </div>
    </>
  );
}

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
