/** The text messages as they come. One click fills the newest code in. */
import { useConsole } from '../context.ts';
import { timeOfDay } from '../format.ts';
import { SmsTrouble } from './sms-trouble.tsx';

/** Older messages than these are of no use to anybody who signs in now. */
const MAX_SHOWN = 3;

export function Phone() {
  const { model, say, filler } = useConsole();
  const messages = model.phone.slice(0, MAX_SHOWN);
  return (
    <section className="phone" aria-label={say('phone')}>
      <div className="phone-heading">
        <h2>{say('phone')}</h2>
        <SmsTrouble />
      </div>
      {messages.length === 0 && <p className="hint">{say('phoneNone')}</p>}
      <ol className="sms-list" aria-live="polite">
        {messages.map(({ id, to, code, at }) => (
          <li key={id} className="sms">
            <span className="sms-to">{`${to} · ${timeOfDay(at)}`}</span>
            <b className="sms-code">{code}</b>
            <button
              type="button"
              className="btn"
              aria-label={say('fillCodeOf', { code })}
              onClick={() => filler.fillCode(code)}
            >
              {say('fillCode')}
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}
