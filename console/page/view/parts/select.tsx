/** A choice among texts, and a control with its label. */
import type { ReactNode, SelectHTMLAttributes } from 'react';
import type { TextKey } from '../../texts/texts.ts';
import { useConsole } from '../context.ts';

export type Option = readonly [value: string, text: string, lang?: string];

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
      {options.map(([value, text, lang]) => (
        <option key={value} value={value} lang={lang}>
          {text}
        </option>
      ))}
    </select>
  );
}

export function Labelled({ text, children }: { text: TextKey; children: ReactNode }) {
  const { say } = useConsole();
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child
    <label>
      <span>{say(text)}</span>
      {children}
    </label>
  );
}
