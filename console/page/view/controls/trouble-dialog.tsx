/** Trouble on one wire: what is switched on, and what to switch on next. */
import type { ArmedFault, Wire } from '../../../api.ts';
import { useConsole } from '../context.ts';
import { shortFault, wireName } from '../lanes/lane-heads.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { TroubleForm } from './trouble-form.tsx';

export function TroubleDialog({ wire, onClose }: { wire: Wire; onClose: () => void }) {
  const { model, say } = useConsole();
  const armed = (model.overview?.faults ?? []).filter((fault) => fault.wire === wire);
  return (
    <Dialog title={say('troubleOf', { wire: wireName(wire, say) })} onClose={onClose}>
      <h3>{say('armedHere')}</h3>
      {armed.length === 0 && <p className="hint">{say('noFault')}</p>}
      <ul className="armed">
        {armed.map((fault) => (
          <Armed key={fault.id} fault={fault} />
        ))}
      </ul>
      <TroubleForm wire={wire} />
    </Dialog>
  );
}

function Armed({ fault }: { fault: ArmedFault }) {
  const { act, say } = useConsole();
  const what = shortFault(fault);
  return (
    <li className="row">
      <code>{what}</code>
      <button
        type="button"
        className="btn"
        aria-label={say('disarmOf', { what })}
        onClick={() => void act.disarm(fault.id)}
      >
        {say('disarm')}
      </button>
    </li>
  );
}
