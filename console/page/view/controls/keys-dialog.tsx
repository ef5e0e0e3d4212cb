/** The list of keys. */
import { texts } from '../../texts.ts';
import { keys } from '../keyboard.ts';
import { Dialog } from '../parts/dialog.tsx';

const ARROWS: Readonly<Record<string, string>> = { ArrowDown: '↓', ArrowUp: '↑' };

export function KeysDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={texts.keys} onClose={onClose}>
      <dl className="keys">
        {keys.map(({ keys: own, text }) => (
          <div key={text} className="row">
            <dt>
              {own.map((key) => (
                <kbd key={key}>{ARROWS[key] ?? key.toUpperCase()}</kbd>
              ))}
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
