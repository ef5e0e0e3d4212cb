/** The panel that shows each call as it happens, and what each server learns. */
import { useEffect, useId, useRef, useState, useSyncExternalStore } from 'react';
import type { Failure, ServerName } from '../calls.ts';
import type { Say, TextKey } from '../texts/texts.ts';
import { patientFieldsSentTo, type WireEntry } from '../wire/wire-log.ts';
import { useLanguage } from './language.tsx';
import { Icon } from './parts/icons.tsx';

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

export function WireItem({ entry }: { entry: WireEntry }) {
  const { say } = useLanguage();
  const { server, method, state, duration, patientFields } = entry;
  return (
    <li className={`call of-${server} call-${state}`}>
      <details>
        <summary>
          <span className="route">
            <span className="from">{say('routeClient')}</span>
            <span aria-hidden="true"> → </span>
            <span className="visually-hidden"> {say('routeTo')} </span>
            <span className="to">{say(server === 'auth' ? 'routeAuth' : 'routeEhr')}</span>
          </span>
          <code className="method">{method}</code>
          <span className="verdict">
            <span className="dot" aria-hidden="true" />
            <span>{verdictOf(entry, say)}</span>
          </span>
          <span className="took">{duration === undefined ? '' : `${Math.round(duration)} ms`}</span>
          {patientFields.length > 0 && (
            <span className="carries">{say('carriesPatientData', { fields: patientFields.join(', ') })}</span>
          )}
          <Icon of="chevron" />
        </summary>
        <Message title={say('request')} message={entry.request} label={say('requestOf', { method })} />
        {state !== 'pending' && (
          <Message title={say('reply')} message={entry.reply} label={say('replyTo', { method })} />
        )}
      </details>
    </li>
  );
}

const FAILED: Record<Exclude<Failure['kind'], 'refused' | 'http'>, TextKey> = {
  unreachable: 'verdictUnreachable',
  timeout: 'verdictTimeout',
  nonsense: 'verdictNonsense',
};

/** Returns how the call ended: a reason with its code, or the failure in words. */
function verdictOf({ state, failure }: WireEntry, say: Say): string {
  if (!failure) return say(state === 'pending' ? 'verdictPending' : 'verdictOk');
  if (failure.kind === 'refused') return `${failure.reason ?? say('verdictRefused')} (${failure.code})`;
  return failure.kind === 'http' ? `HTTP ${failure.status}` : say(FAILED[failure.kind]);
}

function Message({ title, message, label }: { title: string; message: unknown; label: string }) {
  const { say } = useLanguage();
  return (
    <div className="message">
      <p>{title}</p>
      {message === undefined ? (
        <p className="none">{say('nothingReadable')}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <section className="json" tabIndex={0} aria-label={label}>
          <pre>{JSON.stringify(message, undefined, 2)}</pre>
        </section>
      )}
    </div>
  );
}

const WIDE = '(min-width: 68rem)';

function useWideScreen(): boolean {
  return useSyncExternalStore(
    (wake) => {
      const query = window.matchMedia(WIDE);
      query.addEventListener('change', wake);
      return () => query.removeEventListener('change', wake);
    },
    () => window.matchMedia(WIDE).matches,
    () => false,
  );
}
