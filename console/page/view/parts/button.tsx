/** A button, with a text of the page or content of its own. */
import type { ButtonHTMLAttributes } from 'react';

export type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & { text?: string };

export function Button({ text, children, className = 'btn', ...button }: ButtonProps) {
  return (
    <button type="button" {...button} className={className}>
      {text ?? children}
    </button>
  );
}
