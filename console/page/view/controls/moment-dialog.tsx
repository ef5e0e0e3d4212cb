/** Asks before a link opens its situation: what the demo holds is lost by it. */
import type { Moment } from '../../../api.ts';
import { useConsole } from '../context.ts';
import { Dialog } from '../parts/dialog.tsx';

export function MomentDialog({ moment, onClose }: { moment: Moment; onClose: () => void }) {
  const { model, act, say } = useConsole();
  return (
    <Dialog title={say('momentTitle')} onClose={onClose}>
      <p>{say('momentText', { seed: model.overview?.seed ?? '', other: moment.seed })}</p>
      <p className="row">
        <button
          type="button"
          className="btn btn-primary"
          onClick={() => {
            void act.openMoment(moment);
            onClose();
          }}
        >
          {say('momentOpen')}
        </button>
        <button type="button" className="btn" onClick={onClose}>
          {say('cancel')}
        </button>
      </p>
    </Dialog>
  );
}
