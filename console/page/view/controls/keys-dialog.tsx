/** The list of keys. */
import { useConsole } from '../context.ts';
import { keys } from '../keyboard.ts';
import { Dialog } from '../parts/dialog.tsx';

export function KeysDialog({ onClose }: { onClose: () => void }) {
  const { say } = useConsole();
  return (
    <Dialog title={say('keysTitle')} onClose={onClose}>
      <dl className="keys">
        {keys.map(({ shown, text }) => (
          <div key={text}>
            <dt>
              {shown.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{say(text)}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
