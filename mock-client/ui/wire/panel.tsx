/** The panel that shows each call as it happens, and what each server learns. */
import { useEffect, useId, useRef, useState } from 'react';
import type { ServerName } from '../../calls.ts';
import { patientFieldsSentTo, type WireEntry } from '../../wire/wire-log.ts';
import { useLanguage } from '../language.tsx';
import { Icon } from '../parts/icons.tsx';
import { WireItem } from './item.tsx';
import { useWideScreen } from './use-wide-screen.ts';

export function WirePanel({ entries }: { entries: readonly WireEntry[] }) {
  const { say } = useLanguage();
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
        <button
          type="button"
          aria-expanded={open}
          aria-controls={`${id}-body`}
          onClick={() => setChosen(!open)}
        >
          <span>{say('wireTitle')}</span>
          <span className="count">{say('calls', { n: entries.length })}</span>
          <Icon of="chevron" />
        </button>
      </h2>
      <div id={`${id}-body`} className="wire-body" hidden={!open}>
        <div className="parties">
          <Party server="auth" entries={entries} />
          <Party server="ehr" entries={entries} />
        </div>
        {entries.length === 0 ? (
          <p className="wire-empty">{say('wireEmpty')}</p>
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
  const { say } = useLanguage();
  const name = say(server === 'auth' ? 'partyAuth' : 'partyEhr');
  const calls = entries.filter((entry) => entry.server === server).length;
  const fields = patientFieldsSentTo(server, entries);
  return (
    <section className={`party of-${server}`} aria-label={name}>
      <h3>{name}</h3>
      <p>{say('calls', { n: calls })}</p>
      <p className={fields.length === 0 ? 'party-none' : 'party-some'}>
        {fields.length === 0 && <Icon of="shield" />}
        <span>
          {say('patientDataSent', { fields: fields.length === 0 ? say('none') : fields.join(', ') })}
        </span>
      </p>
    </section>
  );
}
