/** Asks before the demo is emptied: what it holds, and who is signed in, is lost by it. */
import { useConsole } from '../context.ts';
import { Dialog } from '../parts/dialog.tsx';

export function ResetDialog({ onClose }: { onClose: () => void }) {
  const { act, say } = useConsole();
  return (
    <Dialog title={say('resetTitle')} onClose={onClose}>
      <p>{say('resetText')}</p>
      <p className="hint">{say('resetOwnWindow')}</p>
      <p className="row">
        <button
          type="button"
          className="btn btn-primary"
          onClick={() => {
            void act.reset();
            onClose();
          }}
        >
          {say('reset')}
        </button>
        <button type="button" className="btn" onClick={onClose}>
          {say('cancel')}
        </button>
      </p>
    </Dialog>
  );
}
