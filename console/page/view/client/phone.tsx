/** The text messages as they come, with what happens to them on their way. One click fills a code in. */
import type { TextTrouble } from '../../../api.ts';
import { useConsole } from '../context.ts';
import { timeOfDay } from '../format.ts';
import { Button, Select, timesChosen, timesOptions } from '../parts.tsx';

/** Older messages than these are of no use to anybody who signs in now. */
const MAX_SHOWN = 3;

export function Phone() {
  const { model, filler } = useConsole();
  const messages = model.phone.slice(0, MAX_SHOWN);
  return (
    <section className="phone" aria-label="Messages to the phone">
      <div className="row phone-heading">
        <h2>Messages to the phone</h2>
        <SmsTrouble />
      </div>
      {messages.length === 0 && <p className="hint">No message yet.</p>}
      <ol className="sms-list" aria-live="polite">
        {messages.map(({ id, to, code, at }) => (
          <li key={id} className="sms">
            <span className="sms-to">{`${to} · ${timeOfDay(at)}`}</span>
            <b className="sms-code">{code}</b>
            <Button
              text="Fill in"
              aria-label={`Fill in the code ${code}`}
              onClick={() => filler.fillCode(code)}
            />
          </li>
        ))}
      </ol>
    </section>
  );
}

const KINDS: readonly (readonly [TextTrouble['kind'], string])[] = [
  ['none', 'as sent'],
  ['late', 'late'],
  ['lost', 'lost'],
  ['doubled', 'doubled'],
  ['outOfOrder', 'out of order'],
];

function SmsTrouble() {
  const { model, act } = useConsole();
  const { kind, times } = model.overview?.textTrouble ?? { kind: 'none', times: 1 };
  const set = (trouble: TextTrouble) => void act.textTrouble(trouble);
  return (
    <span className={`row sms-trouble ${kind === 'none' ? '' : 'is-bad'}`}>
      <Select
        aria-label="Trouble with messages"
        value={kind}
        options={KINDS}
        onChoose={(chosen) => set({ kind: chosen as TextTrouble['kind'], times: 1 })}
      />
      {kind !== 'none' && (
        <Select
          aria-label="How often"
          value={String(times)}
          options={timesOptions([3])}
          onChoose={(chosen) => set({ kind, times: timesChosen(chosen) })}
        />
      )}
    </span>
  );
}
