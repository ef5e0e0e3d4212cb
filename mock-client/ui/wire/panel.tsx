/** The panel that shows each call as it happens, and what each server learns. */
import { useEffect, useId, useRef, useState } from 'react';
import type { ServerName } from '../../calls.ts';
import { patientFieldsSentTo, type WireEntry } from '../../wire/wire-log.ts';
import { Icon } from '../parts/icons.tsx';
import { WireItem } from './item.tsx';
import { useWideScreen } from './use-wide-screen.ts';

export function WirePanel({ entries }: { entries: readonly WireEntry[] }) {
  const id = useId();
  const wide = useWideScreen();
  // Until the user decides, the panel is open where there is room beside the page.
  const [chosen, setChosen] = useState<boolean>();
  const open = chosen ?? wide;
  const list = useRef<HTMLOListElement>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each new call scrolls into view
  useEffect(() => {
    if (wide && list.current) list.current.scrollTop = list.current.scrollHeight;
  }, [entries.length, wide]);

  return (
    <aside className={`wire ${open ? 'wire-open' : 'wire-closed'}`} aria-labelledby={`${id}-heading`}>
      <h2 id={`${id}-heading`} className="wire-heading">
        <button type="button" aria-expanded={open} aria-controls={`${id}-body`} onClick={() => setChosen(!open)}>
          <span>What happens on the wire</span>
          <span className="count">{`${entries.length} ${entries.length === 1 ? 'call' : 'calls'}`}</span>
          <Icon of="chevron" />
        </button>
      </h2>
      <div id={`${id}-body`} className="wire-body" hidden={!open}>
        <div className="parties">
          <Party server="auth" entries={entries} />
          <Party server="ehr" entries={entries} />
        </div>
        {entries.length === 0 ? (
          <p className="wire-empty">
            Each call this page makes appears here: to whom, what for, and how it ended. Secrets and patient data are
            masked.
          </p>
        ) : (
          <ol className="wire-list" ref={list}>
            {entries.map((entry) => (
              <WireItem key={entry.id} entry={entry} />
            ))}
          </ol>
        )}
      </div>
    </aside>
  );
}

/** Shows what one server has learnt about the patient so far. */
function Party({ server, entries }: { server: ServerName; entries: readonly WireEntry[] }) {
  const calls = entries.filter((entry) => entry.server === server).length;
  const fields = patientFieldsSentTo(server, entries);
  return (
    <section className={`party party-${server}`} aria-label={PARTY_NAMES[server]}>
      <h3>{PARTY_NAMES[server]}</h3>
      <p>
        {calls} {calls === 1 ? 'call' : 'calls'}
      </p>
      <p className={fields.length === 0 ? 'party-none' : 'party-some'}>
        {fields.length === 0 && <Icon of="shield" />}
        <span>Patient data sent: {fields.length === 0 ? 'none' : fields.join(', ')}</span>
      </p>
    </section>
  );
}

const PARTY_NAMES: Record<ServerName, string> = { auth: 'Authorization server', ehr: 'EHR server' };
