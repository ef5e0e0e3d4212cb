/** A labelled input with its hint and its error, connected for assistive technology. */
import { type InputHTMLAttributes, type ReactNode, type Ref, useId } from 'react';
import type { Mistake } from '../../flow/form.ts';
import { useLanguage } from '../language.tsx';

/** A text, or a mistake that is told in the language of the page. */
type FieldMistake = string | Mistake | undefined;

export type FieldProps = Pick<
  InputHTMLAttributes<HTMLInputElement>,
  | 'type'
  | 'inputMode'
  | 'autoComplete'
  | 'min'
  | 'max'
  | 'name'
  | 'placeholder'
  | 'spellCheck'
  | 'autoCapitalize'
> & {
  label: string;
  value: string;
  onChange: (value: string) => void;
  hint?: ReactNode;
  error?: FieldMistake;
  inputRef?: Ref<HTMLInputElement>;
  className?: string;
};

export function Field({
  label,
  value,
  onChange,
  hint,
  error,
  inputRef,
  className = '',
  ...input
}: FieldProps) {
  const id = useId();
  return (
    <div className={`field ${className}`}>
      <label htmlFor={id}>{label}</label>
      <Hint id={`${id}-hint`}>{hint}</Hint>
      <input
        {...input}
        {...describedBy(id, hint, error)}
        id={id}
        ref={inputRef}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      <FieldError id={`${id}-error`} error={error} />
    </div>
  );
}

export type SelectFieldProps = {
  label: string;
  name: string;
  value: string;
  onChange: (value: string) => void;
  options: readonly (readonly [value: string, text: string])[];
  hint?: ReactNode;
  autoComplete?: string;
};

export function SelectField({ label, name, value, onChange, options, hint, autoComplete }: SelectFieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <Hint id={`${id}-hint`}>{hint}</Hint>
      <select
        {...describedBy(id, hint, undefined)}
        id={id}
        name={name}
        autoComplete={autoComplete}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      >
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

function Hint({ id, children }: { id: string; children: ReactNode }) {
  return children ? (
    <p className="hint" id={id}>
      {children}
    </p>
  ) : null;
}

function FieldError({ id, error }: { id: string; error: FieldMistake }) {
  const { say } = useLanguage();
  return error ? (
    <p className="field-error" id={id} role="alert">
      {typeof error === 'string' ? error : say(error.key, error.n === undefined ? {} : { n: error.n })}
    </p>
  ) : null;
}

function describedBy(id: string, hint: ReactNode, error: FieldMistake) {
  const ids = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return { ...(ids && { 'aria-describedby': ids }), ...(error && { 'aria-invalid': true }) };
}
