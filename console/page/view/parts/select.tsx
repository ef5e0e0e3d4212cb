/** A choice among texts, and a control with its label. */
import type { ReactNode, SelectHTMLAttributes } from 'react';

export type Option = readonly [value: string, text: string];

export type SelectProps = Omit<SelectHTMLAttributes<HTMLSelectElement>, 'onChange'> & {
  options: readonly Option[];
  onChoose?: (value: string) => void;
};

export function Select({ options, onChoose, ...select }: SelectProps) {
  return (
    <select
      className="btn"
      {...select}
      {...(onChoose && { onChange: ({ target }) => onChoose(target.value) })}
    >
      {options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  );
}

export function Labelled({ text, children }: { text: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child
    <label>
      <span>{text}</span>
      {children}
    </label>
  );
}
