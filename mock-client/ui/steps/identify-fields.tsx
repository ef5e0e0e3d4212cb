/** The fields of the identification form, by name or by card. */
import type { DraftErrors, DraftFields } from '../../flow/form.ts';
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
  return (
    <>
      <fieldset className="choice">
        <legend>Find it by</legend>
        {STRATEGIES.map(([strategy, text]) => (
          <label key={strategy}>
            <input
              type="radio"
              name="strategy"
              value={strategy}
              checked={typed.strategy === strategy}
              onChange={() => onStrategy(strategy)}
            />
            <span>{text}</span>
          </label>
        ))}
      </fieldset>
      {typed.strategy === 'PHONE' ? (
        <PersonFields typed={typed} errors={errors} today={today} onChange={onChange} />
      ) : (
        <Field
          label="Card number"
          name="medCardId"
          autoComplete="off"
          spellCheck={false}
          autoCapitalize="characters"
          hint="You find it on the card from your clinic."
          value={typed.medCardId}
          error={errors.medCardId}
          onChange={(medCardId) => onChange({ medCardId })}
        />
      )}
      <Field
        label="Phone number"
        name="phone"
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        hint="The one your clinic knows"
        value={typed.phone}
        error={errors.phone}
        onChange={(phone) => onChange({ phone })}
      />
    </>
  );
}

/** The fields that identify a patient by personal details. */
function PersonFields({ typed, errors, today, onChange }: Omit<IdentifyFieldsProps, 'onStrategy'>) {
  return (
    <>
      <div className="pair">
        <Field
          label="Given name"
          name="name"
          autoComplete="given-name"
          value={typed.name}
          error={errors.name}
          onChange={(name) => onChange({ name })}
        />
        <Field
          label="Family name"
          name="surname"
          autoComplete="family-name"
          value={typed.surname}
          error={errors.surname}
          onChange={(surname) => onChange({ surname })}
        />
      </div>
      <div className="pair">
        <Field
          label="Date of birth"
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
          label="Gender (optional)"
          name="gender"
          autoComplete="sex"
          value={typed.gender}
          options={GENDER_OPTIONS}
          onChange={(gender) => onChange({ gender })}
        />
      </div>
    </>
  );
}

const STRATEGIES = [
  ['PHONE', 'Personal details'],
  ['MEDCARD', 'Medical card'],
] as const;

const GENDER_OPTIONS = [
  ['', 'Not stated'],
  ['1', 'Female'],
  ['0', 'Male'],
  ['2', 'Other'],
  ['3', 'Recorded as unknown'],
] as const;
