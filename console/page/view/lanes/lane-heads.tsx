/** The heads of the three lanes, and between them what is wrong on purpose with each wire. */
import type { ArmedFault, PartyName, Wire } from '../../../api.ts';
import type { TextKey } from '../../texts/texts.ts';
import { useConsole } from '../context.ts';
import { skew } from '../format.ts';

export function LaneHeads() {
  return (
    <div className="heads">
      <Head party="client" />
      <Head party="auth" />
      <Head party="ehr" />
      <div className="wires">
        <WireChip wire="client->auth" />
        <WireChip wire="client->ehr" note="direct" />
        <WireChip wire="auth->ehr" note="internal" />
      </div>
    </div>
  );
}

function Head({ party }: { party: PartyName }) {
  const { model, say } = useConsole();
  const skewMs = model.overview?.clock.skewMs[party] ?? 0;
  const knows = model.alarm !== undefined;
  return (
    <div className={`head of-${party}`}>
      <b>{say(party)}</b>
      {skewMs !== 0 && <small>{say('skewShort', { time: skew(skewMs) })}</small>}
      {party === 'auth' && (
        <small className={knows ? 'knows' : ''}>
          {knows ? `${say('knowsData')} ✕` : `${say('knowsNothing')} ✓`}
        </small>
      )}
    </div>
  );
}

function WireChip({ wire, note }: { wire: Wire; note?: TextKey }) {
  const { model, say, setUi } = useConsole();
  const armed = (model.overview?.faults ?? []).filter((fault) => fault.wire === wire && fault.left !== 0);
  const more = armed.length > 1 ? ` +${armed.length - 1}` : '';
  const state = (armed[0] ? shortFault(armed[0]) : say('healthy')) + more;
  return (
    <div className="wire">
      <button
        type="button"
        className={`wire-chip ${armed.length > 0 ? 'is-bad' : ''}`}
        aria-label={`${say('troubleOf', { wire: wireName(wire, say) })}: ${state}`}
        onClick={() => setUi({ dialog: `trouble:${wire}` })}
      >
        {note && <span className="wire-note">{`${say(note)} · `}</span>}
        <span>{`${state} ▾`}</span>
      </button>
    </div>
  );
}

/** @example 'save_exchange_token: reply-lost ×2' */
export function shortFault({ method, fault, left }: ArmedFault): string {
  const times = left === 'untilOff' ? '∞' : `×${left}`;
  return `${method === undefined ? '' : `${method.split('.').at(-1)}: `}${fault} ${times}`;
}

export function wireName(wire: Wire, say: (key: PartyName) => string): string {
  const [from, to] = wire.split('->') as [PartyName, PartyName];
  return `${say(from)} → ${say(to)}`;
}
