/** One call in the panel: its server, method and outcome and, on request, the request and the answer. */
import type { ServerName } from '../../calls.ts';
import type { WireEntry } from '../../wire/wire-log.ts';
import { Icon } from '../parts/icons.tsx';

export function WireItem({ entry }: { entry: WireEntry }) {
  const { server, method, state, verdict, duration, patientFields } = entry;
  return (
    <li className={`call call-${server} call-${state}`}>
      <details>
        <summary>
          <span className="route">
            <span className="from">client</span>
            <span aria-hidden="true"> → </span>
            <span className="visually-hidden"> to </span>
            <span className="to">{ROUTE_NAMES[server]}</span>
          </span>
          <code className="method">{method}</code>
          <span className="verdict">
            <span className="dot" aria-hidden="true" />
            {state === 'pending' ? 'waiting…' : verdict}
          </span>
          <span className="took">{duration === undefined ? '' : `${Math.round(duration)} ms`}</span>
          {patientFields.length > 0 && (
            <span className="carries">carries patient data: {patientFields.join(', ')}</span>
          )}
          <Icon of="chevron" />
        </summary>
        <Message title="Request" message={entry.request} label={`Request of ${method}`} />
        {state !== 'pending' && <Message title="Reply" message={entry.reply} label={`Reply to ${method}`} />}
      </details>
    </li>
  );
}

function Message({ title, message, label }: { title: string; message: unknown; label: string }) {
  return (
    <div className="message">
      <p>{title}</p>
      {message === undefined ? (
        <p className="none">Nothing that could be read.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <section className="json" tabIndex={0} aria-label={label}>
          <pre>{JSON.stringify(message, undefined, 2)}</pre>
        </section>
      )}
    </div>
  );
}

const ROUTE_NAMES: Record<ServerName, string> = { auth: 'authorization server', ehr: 'EHR server' };
