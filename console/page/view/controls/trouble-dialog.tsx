/** Trouble on one wire: what is switched on, and what to switch on next. */
import type { Wire } from '../../../api.ts';
import { texts } from '../../texts.ts';
import { useConsole } from '../context.ts';
import { shortFault, wireName } from '../lanes/lane-heads.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { TroubleForm } from './trouble-form.tsx';

export function TroubleDialog({ wire, onClose }: { wire: Wire; onClose: () => void }) {
  const { model, act } = useConsole();
  const armed = (model.overview?.faults ?? []).filter((fault) => fault.wire === wire);
  return (
    <Dialog title={texts.troubleOf(wireName(wire))} onClose={onClose}>
      <h3>{texts.armedHere}</h3>
      {armed.length === 0 && <p className="hint">{texts.noFault}</p>}
      <ul className="armed">
        {armed.map((fault) => (
          <li key={fault.id} className="row">
            <code>{shortFault(fault)}</code>
            <Button
              text={texts.disarm}
              aria-label={texts.disarmOf(shortFault(fault))}
              onClick={() => void act.disarm(fault.id)}
            />
          </li>
        ))}
      </ul>
      <TroubleForm wire={wire} />
    </Dialog>
  );
}
