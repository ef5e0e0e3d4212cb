/** A button, with a text of the page or content of its own. */
import type { ButtonHTMLAttributes } from 'react';
import type { TextKey, Values } from '../../texts/texts.ts';
import { useConsole } from '../context.ts';

export type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & { text?: TextKey; values?: Values };

export function Button({ text, values, children, className = 'btn', ...button }: ButtonProps) {
  const { say } = useConsole();
  return (
    <button type="button" {...button} className={className}>
      {text === undefined ? children : say(text, values)}
    </button>
  );
}
