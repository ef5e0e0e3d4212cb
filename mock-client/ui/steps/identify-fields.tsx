/** The fields of the identification form, by name or by card. */
import type { DraftErrors, DraftFields } from '../../flow/form.ts';
import { useLanguage } from '../language.tsx';
import { Field, type FixedFieldProps, SelectField } from '../parts/field.tsx';

export type IdentifyFieldsProps = {
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
    ...{ label: 'cardNumber', hint: 'cardHint' },
    ...{ autoComplete: 'off', spellCheck: false, autoCapitalize: 'characters' },
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

export function IdentifyFields({ today, onStrategy, ...fields }: IdentifyFieldsProps) {
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
