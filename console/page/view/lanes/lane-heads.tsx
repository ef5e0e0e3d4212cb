/** The heads of the three lanes, and the wires between them with what is wrong on purpose with each. */

import { useMemo } from 'react';
import type { ArmedFault, Message, PartyName, Wire } from '../../../api.ts';
import { hasLeaked, rowsShown } from '../../model/model.ts';
import { useConsole, useDemoTime } from '../context.ts';
import { partyNames, skew } from '../format.ts';

export function LaneHeads() {
  return (
    <div className="heads">
      <div className="party-heads">
        <Head party="client" />
        <Head party="auth" />
        <Head party="ehr" />
      </div>
      <div className="wires">
        <WireChip wire="client->auth" />
        <WireChip wire="auth->ehr" />
        <WireChip wire="client->ehr" />
      </div>
    </div>
  );
}

function Head({ party }: { party: PartyName }) {
  const { model } = useConsole();
  const skewMs = (!model.replay && model.overview?.clock.skewMs[party]) || 0;
  const wasSent = hasLeaked(model);
  return (
    <div className={`head of-${party}`}>
      <b>{partyNames[party]}</b>
      {skewMs !== 0 && <small>{`clock ${skew(skewMs)}`}</small>}
      {party === 'auth' && (
        <small className={wasSent ? 'knows' : ''}>
          {wasSent ? 'was sent patient data ✕' : 'knows no patient data ✓'}
        </small>
      )}
    </div>
  );
}

const WIRE_NAMES: Readonly<Record<Wire, string>> = {
  'client->auth': 'sign-in wire',
  'client->ehr': 'direct wire',
  'auth->ehr': 'internal channel',
};

/** Stands on its wire, between the two lanes that it joins. */
function WireChip({ wire }: { wire: Wire }) {
  const { model, setUi } = useConsole();
  const faults = model.replay ? [] : (model.overview?.faults ?? []);
  const armed = faults.filter((fault) => fault.wire === wire && fault.left !== 0);
  const more = armed.length > 1 ? ` +${armed.length - 1}` : '';
  const wait = useWait(wire);
  const troubled = (armed[0] ? shortFault(armed[0]) : 'healthy') + more;
  const told = wait === undefined ? troubled : `no reply for ${wait} s`;
  // Of a saved run nobody knows any trouble but that of its messages.
  const state = WIRE_NAMES[wire] + (model.replay ? '' : `: ${told}`);
  const looks = [armed.length > 0 && 'is-bad', wait !== undefined && 'is-waiting'].filter(Boolean);
  return (
    <div className={['wire', `on-${wire.replace('->', '-')}`, ...looks].join(' ')}>
      <button
        type="button"
        className="wire-chip"
        aria-label={`${troubleTitle(wire)}, ${state}`}
        disabled={model.replay !== undefined}
        onClick={() => setUi({ dialog: { troubleOn: wire } })}
      >
        {model.replay ? state : `${state}\u00a0▾`}
      </button>
    </div>
  );
}

/** @example 'save_exchange_token: reply-lost ×2' */
export function shortFault({ method, fault, left }: ArmedFault): string {
  const times = left === 'untilOff' ? '∞' : `×${left}`;
  return `${method === undefined ? '' : `${method.split('.').at(-1)}: `}${fault} ${times}`;
}

export function troubleTitle(wire: Wire): string {
  const [from, to] = wire.split('->') as [PartyName, PartyName];
  return `Trouble: ${partyNames[from]} → ${partyNames[to]}`;
}

const SECOND_MS = 1_000;
/** Nearly every call is answered within this time. */
const LONG_MS = 1_000;

/** Returns for how many seconds the oldest call of a wire waits; undefined: no call waits for long. */
function useWait(wire: Wire): number | undefined {
  const { model } = useConsole();
  const rows = rowsShown(model);
  const oldest = useMemo(
    () =>
      rows.find(
        (row): row is Message => row.kind === 'message' && row.wire === wire && row.outcome === 'underWay',
      ),
    [rows, wire],
  );
  const waitsMs = useDemoTime(SECOND_MS) - (oldest?.beganAt ?? Number.POSITIVE_INFINITY);
  return waitsMs >= LONG_MS ? Math.floor(waitsMs / SECOND_MS) : undefined;
}
