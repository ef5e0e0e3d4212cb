/** What a link opens: it asks first, because the demo is reset, or says why it cannot open. */
import type { OpenedLink } from '../model/moment-link.ts';
import { useConsole } from './context.ts';
import { ConfirmDialog, Dialog } from './parts/dialog.tsx';

export function MomentDialog({ opened, onClose }: { opened: OpenedLink; onClose: () => void }) {
  const { model, act, say } = useConsole();
  if (!('moment' in opened)) {
    const { version } = opened;
    return (
      <Dialog title={say('momentUnread')} onClose={onClose}>
        <p>{version === undefined ? say('momentBroken') : say('momentVersion', { version })}</p>
      </Dialog>
    );
  }
  const { moment } = opened;
  const seed = model.overview?.seed ?? moment.seed;
  return (
    <ConfirmDialog
      title={say('momentTitle')}
      confirm="momentOpen"
      onConfirm={() => void act.openMoment(moment)}
      onClose={onClose}
    >
      <p>{say('momentText')}</p>
      {seed !== moment.seed && <p>{say('momentSeeds', { seed, other: moment.seed })}</p>}
    </ConfirmDialog>
  );
}
