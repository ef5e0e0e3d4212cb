/** One call in the panel: its server, method and outcome and, on request, the request and the answer. */
import type { Failure } from '../../calls.ts';
import type { Say, TextKey } from '../../texts/texts.ts';
import type { WireEntry } from '../../wire/wire-log.ts';
import { useLanguage } from '../language.tsx';
import { Icon } from '../parts/icons.tsx';

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
