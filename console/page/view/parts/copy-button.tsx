/** A button that copies a text, and says that it did. */
import { useState } from 'react';
import { useConsole } from '../context.ts';

/** How long the button says that it copied. */
const SAID_MS = 2_000;

export function CopyButton({ text, label }: { text: string; label: string }) {
  const { say, clock } = useConsole();
  const [copied, setCopied] = useState(false);

  async function copy() {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    clock.after(SAID_MS, () => setCopied(false));
  }

  return (
    <button type="button" className="btn" onClick={() => void copy()}>
      <span aria-live="polite">{copied ? say('copied') : label}</span>
    </button>
  );
}
