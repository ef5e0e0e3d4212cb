/** The number of a message, which leads to it: it is chosen, and the lanes show it. */

import { texts } from '../../texts.ts';
import { useConsole } from '../context.ts';
import { Button } from './button.tsx';

export function MessageLink({ id, className = '' }: { id: number; className?: string }) {
  const { act, show } = useConsole();

  function open() {
    act.follow(false);
    show(id);
  }

  return (
    <Button className={`text-button ${className}`} aria-label={texts.showEvidence(id)} onClick={open}>
      {`#${id}`}
    </Button>
  );
}
