/** What a link opens: it asks first, because the demo is reset, or says why it cannot open. */
import type { OpenedLink } from '../model/moment-link.ts';
import { texts } from '../texts.ts';
import { useConsole } from './context.ts';
import { ConfirmDialog, Dialog } from './parts/dialog.tsx';

export function MomentDialog({ opened, onClose }: { opened: OpenedLink; onClose: () => void }) {
  const { model, act } = useConsole();
  if (!('moment' in opened)) {
    const { version } = opened;
    return (
      <Dialog title={texts.momentUnread} onClose={onClose}>
        <p>{version === undefined ? texts.momentBroken : texts.momentVersion(version)}</p>
      </Dialog>
    );
  }
  const { moment } = opened;
  const seed = model.overview?.seed ?? moment.seed;
  return (
    <ConfirmDialog
      title={texts.momentTitle}
      confirm={texts.momentOpen}
      onConfirm={() => void act.openMoment(moment)}
      onClose={onClose}
    >
      <p>{texts.momentText}</p>
      {seed !== moment.seed && <p>{texts.momentSeeds(seed, moment.seed)}</p>}
    </ConfirmDialog>
  );
}
