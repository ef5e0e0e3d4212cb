/** A labelled input with its hint and its error, connected for assistive technology. */
import { type InputHTMLAttributes, type ReactNode, type Ref, useId } from 'react';
import type { Mistake } from '../../flow/form.ts';
import type { TextKey } from '../../texts/texts.ts';
import { useLanguage } from '../language.tsx';

/** A text, or a mistake that is told in the language of the page. */
type FieldMistake = string | Mistake | undefined;

type Labelled = { label: TextKey; hint?: TextKey; value: string; onChange: (value: string) => void };

export type FieldProps = Labelled &
  Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange' | 'id'> & {
    error?: FieldMistake;
    /** The id of a text elsewhere on the page that tells what belongs in the field. */
    about?: string;
    inputRef?: Ref<HTMLInputElement>;
  };

/** A field but for what is typed in it. */
export type FixedFieldProps = Omit<FieldProps, 'value' | 'onChange'>;

export function Field(props: FieldProps) {
  const { label, value, onChange, hint, error, about, inputRef, className = '', ...input } = props;
  const id = useId();
  return (
    <Box id={id} label={label} hint={hint} error={error} className={className}>
      <input
        {...input}
        {...describedBy(id, hint, error, about)}
        id={id}
        ref={inputRef}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </Box>
  );
}

export type SelectFieldProps = Labelled & {
  name: string;
  autoComplete?: string;
  options: readonly (readonly [value: string, text: TextKey])[];
};

export function SelectField({ label, value, onChange, options, hint, ...select }: SelectFieldProps) {
  const { say } = useLanguage();
  const id = useId();
  return (
    <Box id={id} label={label} hint={hint}>
      <select
        {...select}
        {...describedBy(id, hint, undefined)}
        id={id}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      >
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {say(text)}
          </option>
        ))}
      </select>
    </Box>
  );
}

type BoxProps = {
  id: string;
  label: TextKey;
  hint: TextKey | undefined;
  error?: FieldMistake;
  className?: string;
  children: ReactNode;
};

function Box({ id, label, hint, error, className = '', children }: BoxProps) {
  const { say } = useLanguage();
  return (
    <div className={`field ${className}`}>
      <label htmlFor={id}>{say(label)}</label>
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {say(hint)}
        </p>
      )}
      {children}
      {error && (
        <p className="field-error" id={`${id}-error`} role="alert">
          {typeof error === 'string' ? error : say(error.key, error.n === undefined ? {} : { n: error.n })}
        </p>
      )}
    </div>
  );
}

function describedBy(id: string, hint: TextKey | undefined, error: FieldMistake, about?: string) {
  const ids = [about, hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return { ...(ids && { 'aria-describedby': ids }), ...(error && { 'aria-invalid': true }) };
}
