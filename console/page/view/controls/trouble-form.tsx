/** Switches trouble on: what happens, to which calls, and how often. */
import { type FormEvent, useState } from 'react';
import type { ArmFault, FaultKind, Wire } from '../../../api.ts';
import { methodsOf } from '../../model/filter.ts';
import { faultKindIn } from '../../texts/texts.ts';
import { useConsole } from '../context.ts';

const GROUPS = [
  'cut',
  'slow',
  'reply-lost',
  'refuse',
  'nonsense',
] as const satisfies readonly FaultKind['group'][];

/** The methods of each wire, so that trouble can wait for a call that has not been made yet. */
const METHODS: Readonly<Record<Wire, readonly string[]>> = {
  'client->auth': [
    'auth.request_otp',
    'auth.confirm_otp',
    'auth.exchange_token',
    'auth.report_link',
    'auth.logout',
    'auth.delete_user',
  ],
  'client->ehr': [
    'patient.get_patient',
    'embedded_storage.authenticate',
    'embedded_storage.remove_auth_info',
    'embedded_storage.remove_authentication',
  ],
  'auth->ehr': ['embedded_storage.save_exchange_token', 'embedded_storage.save_auth_info'],
};

export function TroubleForm({ wire }: { wire: Wire }) {
  const { model, act, say } = useConsole();
  const kinds = model.overview?.faultKinds ?? [];
  const [fault, setFault] = useState(kinds[0]?.name ?? '');
  const kind = kinds.find(({ name }) => name === fault);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    void act.arm(faultIn(new FormData(event.currentTarget), wire));
  }

  return (
    <form className="trouble-form" onSubmit={submit}>
      <label>
        <span>{say('troubleKind')}</span>
        <select className="btn" name="fault" value={fault} onChange={({ target }) => setFault(target.value)}>
          {GROUPS.map((group) => (
            <optgroup key={group} label={say(`group_${group}`)}>
              {kinds
                .filter((one) => one.group === group)
                .map((one) => (
                  <FaultOption key={one.name} kind={one} />
                ))}
            </optgroup>
          ))}
        </select>
      </label>
      {kind?.group === 'refuse' && <ErrorChoice />}
      {kind?.hasDelay && (
        <label>
          <span>{say('troubleDelay')}</span>
          <input className="btn" name="delayMs" type="number" min="1" step="1" defaultValue="3000" />
        </label>
      )}
      <MethodChoice methods={[...new Set([...METHODS[wire], ...methodsOf(ofWire(model.rows, wire))])]} />
      <TimesChoice />
      <button type="submit" className="btn btn-primary">
        {say('arm')}
      </button>
    </form>
  );
}

function FaultOption({ kind }: { kind: FaultKind }) {
  const { language } = useConsole();
  const { text, lang } = faultKindIn(language, kind);
  return (
    <option value={kind.name} lang={lang}>
      {text}
    </option>
  );
}

function ErrorChoice() {
  const { model, say } = useConsole();
  return (
    <label>
      <span>{say('troubleError')}</span>
      <select className="btn" name="reason">
        {model.overview?.errors.map(({ reason, code }) => (
          <option key={reason} value={reason}>
            {`${reason} (${code})`}
          </option>
        ))}
      </select>
    </label>
  );
}

function MethodChoice({ methods }: { methods: readonly string[] }) {
  const { say } = useConsole();
  return (
    <label>
      <span>{say('troubleMethod')}</span>
      <select className="btn" name="method">
        <option value="">{say('anyMethod')}</option>
        {methods.map((method) => (
          <option key={method}>{method}</option>
        ))}
      </select>
    </label>
  );
}

function TimesChoice() {
  const { say } = useConsole();
  return (
    <label>
      <span>{say('troubleTimes')}</span>
      <select className="btn" name="times">
        <option value="1">{say('next')}</option>
        {[2, 3, 5, 10].map((n) => (
          <option key={n} value={n}>
            {say('nextN', { n })}
          </option>
        ))}
        <option value="untilOff">{say('untilOff')}</option>
      </select>
    </label>
  );
}

function ofWire<R extends { kind: string }>(rows: readonly R[], wire: Wire): R[] {
  return rows.filter((row) => 'wire' in row && row.wire === wire);
}

function faultIn(data: FormData, wire: Wire): ArmFault {
  const text = (name: string) => String(data.get(name) ?? '');
  const times = text('times');
  return {
    wire,
    fault: text('fault'),
    times: times === 'untilOff' ? times : Number(times),
    ...(text('method') !== '' && { method: text('method') }),
    ...(data.has('reason') && { reason: text('reason') }),
    ...(text('delayMs') !== '' && { delayMs: Number(text('delayMs')) }),
  };
}
