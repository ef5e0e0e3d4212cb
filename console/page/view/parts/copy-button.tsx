/** A button that copies a text, and says that it did. */
import { useState } from 'react';
import { texts } from '../../texts.ts';
import { useConsole } from '../context.ts';
import { Button } from './button.tsx';

/** How long the button says that it copied. */
const SAID_MS = 2_000;

export function CopyButton({ of, text }: { of: string; text: string }) {
  const { clock } = useConsole();
  const [copied, setCopied] = useState(false);

  async function copy() {
    await navigator.clipboard.writeText(of);
    setCopied(true);
    clock.after(SAID_MS, () => setCopied(false));
  }

  return (
    <Button onClick={() => void copy()}>
      <span aria-live="polite">{copied ? texts.copied : text}</span>
    </Button>
  );
}
