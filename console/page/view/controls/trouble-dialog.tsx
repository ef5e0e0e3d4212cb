/** Trouble on one wire: what is switched on, and what to switch on next. */

import { type FormEvent, useState } from 'react';
import type { ArmFault, FaultKind, Wire } from '../../../api.ts';
import { methodsOf } from '../../model/lines.ts';
import { useConsole } from '../context.ts';
import { shortFault, troubleTitle } from '../lanes/lane-heads.tsx';
import { Button, Dialog, Labelled, type Option, Select, timesChosen, timesOptions } from '../parts.tsx';

export function TroubleDialog({ wire, onClose }: { wire: Wire; onClose: () => void }) {
  const { model, act } = useConsole();
  const armed = (model.overview?.faults ?? []).filter((fault) => fault.wire === wire);
  return (
    <Dialog title={troubleTitle(wire)} onClose={onClose}>
      <h3>Switched on</h3>
      {armed.length === 0 && <p className="hint">Nothing is switched on here.</p>}
      <ul className="armed">
        {armed.map((fault) => (
          <li key={fault.id} className="row">
            <code>{shortFault(fault)}</code>
            <Button
              text="Switch off"
              aria-label={`Switch off: ${shortFault(fault)}`}
              onClick={() => void act.disarm(fault.id)}
            />
          </li>
        ))}
      </ul>
      <TroubleForm wire={wire} />
    </Dialog>
  );
}

const GROUPS: readonly (readonly [FaultKind['group'], string])[] = [
  ['cut', 'Cut'],
  ['slow', 'Slow and late'],
  ['reply-lost', 'Lose the reply'],
  ['refuse', 'Refuse'],
  ['nonsense', 'Answer nonsense'],
];

/** The methods of each wire, so that trouble can wait for a call that has not been made yet. */
const METHODS: Readonly<Record<Wire, readonly string[]>> = {
  'client->auth': [
    ...['auth.request_otp', 'auth.confirm_otp', 'auth.exchange_token', 'auth.report_link'],
    ...['auth.logout', 'auth.delete_user'],
  ],
  'client->ehr': [
    ...['patient.get_patient', 'embedded_storage.authenticate'],
    ...['embedded_storage.remove_auth_info', 'embedded_storage.remove_authentication'],
  ],
  'auth->ehr': ['embedded_storage.save_exchange_token', 'embedded_storage.save_auth_info'],
};

function TroubleForm({ wire }: { wire: Wire }) {
  const { model, act } = useConsole();
  const kinds = model.overview?.faultKinds ?? [];
  const errors = model.overview?.errors ?? [];
  const [fault, setFault] = useState(kinds[0]?.name ?? '');
  const kind = kinds.find(({ name }) => name === fault);
  const seen = methodsOf(model.rows.filter((row) => row.kind === 'message' && row.wire === wire));
  const methods = [...new Set([...METHODS[wire], ...seen])].map((method): Option => [method, method]);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    void act.arm(faultIn(new FormData(event.currentTarget), wire));
  }

  return (
    <form className="trouble-form" onSubmit={submit}>
      <Labelled text="What happens">
        <KindChoice value={fault} onChoose={setFault} />
      </Labelled>
      {kind?.group === 'refuse' && (
        <Labelled text="Error">
          <Select name="reason" options={errors.map(({ reason, code }) => [reason, `${reason} (${code})`])} />
        </Labelled>
      )}
      {kind?.hasDelay && (
        <Labelled text="Delay in ms">
          <input className="btn" name="delayMs" type="number" min="1" step="1" defaultValue="3000" />
        </Labelled>
      )}
      <Labelled text="Method">
        <Select name="method" options={[['', 'any call'], ...methods]} />
      </Labelled>
      <Labelled text="How often">
        <Select name="times" options={timesOptions([2, 3, 5, 10])} />
      </Labelled>
      <Button type="submit" className="btn btn-primary" text="Switch on" />
    </form>
  );
}

function KindChoice({ value, onChoose }: { value: string; onChoose: (name: string) => void }) {
  const { model } = useConsole();
  const kinds = model.overview?.faultKinds ?? [];
  return (
    <select className="btn" name="fault" value={value} onChange={({ target }) => onChoose(target.value)}>
      {GROUPS.map(([group, label]) => (
        <optgroup key={group} label={label}>
          {kinds
            .filter((kind) => kind.group === group)
            .map((kind) => (
              <option key={kind.name} value={kind.name}>
                {kind.title}
              </option>
            ))}
        </optgroup>
      ))}
    </select>
  );
}

function faultIn(data: FormData, wire: Wire): ArmFault {
  const text = (name: string) => String(data.get(name) ?? '');
  return {
    wire,
    fault: text('fault'),
    times: timesChosen(text('times')),
    ...(text('method') !== '' && { method: text('method') }),
    ...(data.has('reason') && { reason: text('reason') }),
    ...(text('delayMs') !== '' && { delayMs: Number(text('delayMs')) }),
  };
}
