/** The list of keys. */
import { useConsole } from '../context.ts';
import { keys } from '../keyboard.ts';
import { Dialog } from '../parts/dialog.tsx';

const ARROWS: Readonly<Record<string, string>> = { ArrowDown: '↓', ArrowUp: '↑' };

export function KeysDialog({ onClose }: { onClose: () => void }) {
  const { say } = useConsole();
  return (
    <Dialog title={say('keys')} onClose={onClose}>
      <dl className="keys">
        {keys.map(({ keys: own, text }) => (
          <div key={text} className="row">
            <dt>
              {own.map((key) => (
                <kbd key={key}>{ARROWS[key] ?? key.toUpperCase()}</kbd>
              ))}
            </dt>
            <dd>{say(text)}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
